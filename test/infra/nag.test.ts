/** The rules of cdk-nag, over every stack of an app: none is broken without a written reason. */
import { AwsSolutionsChecks, ServerlessChecks } from 'cdk-nag';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { handlerInput, ticketsInput } from '#test/config/pipeline-input';
import { NAG_REASONS } from '#test/infra/nag-reasons';
import type { NagReason } from '#test/infra/nag-reasons';
import { compose, removeTemporary } from '#test/infra/synthesize';

afterAll(removeTemporary);

interface Finding {
  readonly rule: string;
  /** The rule with what it found, and where. */
  readonly text: string;
}

let findings: readonly Finding[];
beforeAll(async () => {
  const input = ticketsInput();
  const kmsKeyArn = 'arn:aws:kms:eu-west-1:111122223333:key/1234abcd';
  const app = await compose(
    [
      ticketsInput({ consumers: [...ticketsInput().consumers, handlerInput()] }),
      { ...input, name: 'parcels', stream: { load: { onDemand: true }, kmsKeyArn } },
    ],
    { alarmEmail: 'ops@example.com' },
  );
  findings = [AwsSolutionsChecks, ServerlessChecks].flatMap((Pack) =>
    new Pack(app).validateScope(app).violations.flatMap(({ ruleName, violatingResources }) =>
      violatingResources.map(({ constructPath = '' }) => ({
        rule: ruleName.replace(/\[.*$/, ''),
        text: `${ruleName} at ${constructPath}`,
      })),
    ),
  );
});

const explains = ({ rule, where }: NagReason, finding: Finding) =>
  finding.rule === rule && where.test(finding.text);

test('every finding has a reason', () => {
  const unexplained = findings.filter(
    (finding) => !NAG_REASONS.some((reason) => explains(reason, finding)),
  );
  expect(unexplained).toEqual([]);
});

test('every reason has a finding', () => {
  const idle = NAG_REASONS.filter(
    (reason) => !findings.some((finding) => explains(reason, finding)),
  );
  expect(idle).toEqual([]);
});

test('a reason is a sentence', () => {
  for (const { reason } of NAG_REASONS) expect(reason).toMatch(/^[A-Z].{40,}\.$/);
});
