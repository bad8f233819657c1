/** What a source that is read as a whole needs beside the rest. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ticketsInput } from '#test/config/pipeline-input';
import { removeTemporary, synthesize } from '#test/infra/synthesize';
import type { Synthesized } from '#test/infra/synthesize';

afterAll(removeTemporary);

const DATA = 'penstock-test-tickets-data';
const RUN = 'penstock-test-tickets-run';

let whole: Synthesized;
let changes: Synthesized;
beforeAll(async () => {
  const { source } = ticketsInput();
  const pagination = { kind: 'none' as const };
  const incremental = { kind: 'snapshot' as const };
  whole = await synthesize([ticketsInput({ source: { ...source, pagination, incremental } })]);
  changes = await synthesize([ticketsInput()]);
});

const resources = (app: Synthesized, stack: string, type: string) =>
  Object.values(app.template(stack).findResources(type));

const bucketsOf = (app: Synthesized) =>
  resources(app, DATA, 'AWS::S3::Bucket').map((bucket) => ({
    text: JSON.stringify(bucket['Properties']['BucketName']),
    rules: bucket['Properties']['LifecycleConfiguration']['Rules'] as Record<string, unknown>[],
    fate: bucket['DeletionPolicy'] as string,
    isPrivate: bucket['Properties']['PublicAccessBlockConfiguration']['BlockPublicAcls'] as boolean,
  }));

test('a bucket of its own keeps its ledgers, in which nothing expires', () => {
  const ledgers = bucketsOf(whole).filter(({ text }) => text.includes('tickets-ledgers-'));
  expect(ledgers).toHaveLength(1);
  const [{ rules, fate, isPrivate }] = ledgers as [(typeof ledgers)[number]];
  expect(rules.some((rule) => 'ExpirationInDays' in rule)).toBe(false);
  expect([fate, isPrivate]).toEqual(['Retain', true]);
  const others = bucketsOf(whole).filter(({ text }) => text.includes('-refused-'));
  expect(others.map(({ rules: [rule] }) => rule?.['ExpirationInDays'])).toEqual([19]);
});

test('its poller reads, writes and lists there and nowhere else, and is told where', () => {
  const policies = resources(whole, RUN, 'AWS::IAM::Role').flatMap(
    (role) => role['Properties']['Policies'] as { PolicyDocument: { Statement: object[] } }[],
  );
  const statements = policies.flatMap(
    ({ PolicyDocument }) => PolicyDocument.Statement as Record<string, unknown>[],
  );
  const granted = statements
    .filter(({ Resource }) => JSON.stringify(Resource).includes('-ledgers-'))
    .map(({ Action, Resource }) => [Action, JSON.stringify(Resource).endsWith('"/*"]]}')]);
  expect(granted).toEqual([
    [['s3:GetObject', 's3:PutObject', 's3:DeleteObject'], true],
    ['s3:ListBucket', false],
  ]);
  const told = resources(whole, RUN, 'AWS::Lambda::Function').filter(
    (fn) => 'PENSTOCK_LEDGER_BUCKET' in fn['Properties']['Environment']['Variables'],
  );
  expect(told.map((fn) => fn['Properties']['FunctionName'])).toEqual([
    'penstock-test-tickets-poll',
  ]);
});

test('a source that is asked for what changed has none of it', () => {
  expect(bucketsOf(changes)).toHaveLength(1);
  expect(JSON.stringify(changes.template(RUN).toJSON())).not.toMatch(/ledger/i);
});
