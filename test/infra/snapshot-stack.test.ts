/** What a source whose keys are noted needs beside the rest. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ticketsInput } from '#test/config/pipeline-input';
import { removeTemporary, synthesize } from '#test/infra/synthesize';
import type { Synthesized } from '#test/infra/synthesize';

afterAll(removeTemporary);

const DATA = 'penstock-test-tickets-data';
const RUN = 'penstock-test-tickets-run';

let whole: Synthesized;
let unnoted: Synthesized;
let byToken: Synthesized;
let changes: Synthesized;
beforeAll(async () => {
  const { source } = ticketsInput();
  const pagination = { kind: 'none' as const };
  const incremental = { kind: 'snapshot' as const };
  whole = await synthesize([ticketsInput({ source: { ...source, pagination, incremental } })]);
  const token = { kind: 'token' as const, param: 'since', next: 'seq' };
  byToken = await synthesize([ticketsInput({ source: { ...source, incremental: token } })]);
  unnoted = await synthesize([
    ticketsInput({ source: { ...source, incremental: token, orphans: false } }),
  ]);
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

const KEEPING = ['as a whole', 'by token'] as const;
const keeping = (how: (typeof KEEPING)[number]) => (how === 'by token' ? byToken : whole);

test.each(KEEPING)('read %s, a bucket keeps its ledgers, in which nothing expires', (how) => {
  const ledgers = bucketsOf(keeping(how)).filter(({ text }) => text.includes('tickets-ledgers-'));
  expect(ledgers).toHaveLength(1);
  const [{ rules, fate, isPrivate }] = ledgers as [(typeof ledgers)[number]];
  expect(rules.some((rule) => 'ExpirationInDays' in rule)).toBe(false);
  expect([fate, isPrivate]).toEqual(['Retain', true]);
  const others = bucketsOf(keeping(how)).filter(({ text }) => text.includes('-refused-'));
  expect(others.map(({ rules: [rule] }) => rule?.['ExpirationInDays'])).toEqual([19]);
});

test.each(KEEPING)(
  'read %s, its poller reads, writes and lists there, and is told where',
  (how) => {
    const policies = resources(keeping(how), RUN, 'AWS::IAM::Role').flatMap(
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
    const told = resources(keeping(how), RUN, 'AWS::Lambda::Function').filter(
      (fn) => 'PENSTOCK_LEDGER_BUCKET' in fn['Properties']['Environment']['Variables'],
    );
    expect(told.map((fn) => fn['Properties']['FunctionName'])).toEqual([
      'penstock-test-tickets-poll',
    ]);
  },
);

test.each([
  ['what changed since a time', () => changes],
  ['what changed since a token, and removes no orphans', () => unnoted],
])('a source that is asked for %s has none of it', (_what, of) => {
  expect(bucketsOf(of())).toHaveLength(1);
  expect(JSON.stringify(of().template(RUN).toJSON())).not.toMatch(/ledger/i);
});
