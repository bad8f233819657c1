import { expect, test } from 'vitest';
import { UsageError } from '#cli/cli-error';
import { parseReadFrom } from '#cli/read-from';
import { renderEvent } from '#cli/render/cloud-event';
import { sentenceOf } from '#cli/render/error';
import { itemJson, itemLines } from '#cli/render/item';
import { isFailure, renderOutcome } from '#cli/render/outcome';
import { tailJson, tailLine } from '#cli/render/tail';
import { redrawnBlock } from '#cli/screen';
import { parentsFirst } from '#cli/stream-reader';

const ITEM = {
  _version: { S: '2026' },
  order_id: { S: '00123' },
  amount: { N: '9007199254740993.1' },
  tags: { L: [{ S: 'a' }, { BOOL: false }, { NULL: true as const }] },
  place: { M: { b: { N: '2' }, a: { N: '1' } } },
};

test('an item is JSON whose numbers keep every digit, Penstock’s own members last', () => {
  expect(itemJson(ITEM)).toBe(
    '{"amount":9007199254740993.1,"order_id":"00123","place":{"a":1,"b":2},"tags":["a",false,null],"_version":"2026"}',
  );
});

test('an item is one line a member for a person', () => {
  expect(itemLines(ITEM).slice(0, 2)).toEqual([
    'amount    9007199254740993.1',
    'order_id  "00123"',
  ]);
});

const RECORD = {
  shardId: 'shardId-000000000003',
  sequenceNumber: '49600000000000000000000001',
  partitionKey: 'ord-1',
  arrivalTimeMs: Date.UTC(2026, 2, 1),
  data: Buffer.from('{"id":"ord-1@v#d","type":"orders.upsert","data":{"amount":10.00}}'),
};

test('a record of the stream is one line of JSON that keeps the event as it stands', () => {
  expect(tailJson(RECORD)).toBe(
    '{"shardId":"shardId-000000000003","sequenceNumber":"49600000000000000000000001","partitionKey":"ord-1",' +
      `"arrivalTime":"2026-03-01T00:00:00.000Z","event":${RECORD.data.toString()}}`,
  );
});

test('a record that is not JSON is kept in base64', () => {
  const line = tailJson({ ...RECORD, data: Buffer.from([0xff, 0x00]) });
  expect(JSON.parse(line)).toMatchObject({ base64: '/wA=' });
  expect(tailLine({ ...RECORD, data: Buffer.from('plain') })).toContain('not an event');
});

test('a record for a person shows type, id and content with its digits', () => {
  expect(tailLine(RECORD)).toBe(
    '2026-03-01T00:00:00.000Z  shard 3  orders.upsert  ord-1@v#d\n    {"amount":10.00}',
  );
});

test.each([
  [{ kind: 'caught-up', published: 3 }, false, 'orders: caught-up (published 3)'],
  [
    { kind: 'parked', notBeforeMs: 5 },
    false,
    'orders: parked (notBefore 1970-01-01T00:00:00.005Z)',
  ],
  [
    { kind: 'paused', sinceMs: 5, reason: 'x' },
    false,
    'orders: paused (since 1970-01-01T00:00:00.005Z, reason x): `penstock resume orders` lets it poll again',
  ],
  [
    { kind: 'failed', detail: 'the source answered 404' },
    true,
    'orders: failed (detail the source answered 404)',
  ],
  [{ kind: 'lease-lost' }, true, 'orders: lease-lost'],
  [{ errorType: 'Error', errorMessage: 'boom' }, true, 'orders: the function failed: boom'],
  [null, true, 'orders: no outcome'],
])('a poll that answers %j fails: %s', (answer, failed, sentence) => {
  expect(isFailure(answer)).toBe(failed);
  expect(renderOutcome('orders', answer)).toBe(sentence);
});

test('a place to read from is a word, a span or a time', () => {
  const now = Date.UTC(2026, 2, 1, 12);
  expect(parseReadFrom('oldest', now)).toEqual({ kind: 'trim-horizon' });
  expect(parseReadFrom('now', now)).toEqual({ kind: 'latest' });
  expect(parseReadFrom('15m', now)).toEqual({ kind: 'at', timestampMs: now - 900_000 });
  expect(parseReadFrom('2026-03-01T11:00:00Z', now)).toEqual({
    kind: 'at',
    timestampMs: now - 3_600_000,
  });
});

test.each(['15', '15 m', 'yesterday', '', '1e3s'])('%j is no place to read from', (text) => {
  expect(() => parseReadFrom(text, 0)).toThrow(UsageError);
});

test('an unreachable cloud, a missing table and a missing credential are sentences', () => {
  const refused = Object.assign(
    new AggregateError([Object.assign(new Error('connect'), { code: 'ECONNREFUSED' })]),
    { code: 'ECONNREFUSED' },
  );
  expect(sentenceOf(refused)).toMatch(/^No cloud answers at that address: /);
  expect(sentenceOf(new TypeError('fetch failed', { cause: refused }))).toMatch(
    /^No cloud answers at that address: /,
  );
  const missing = Object.assign(new Error('Stream penstock-x-orders not found'), {
    name: 'ResourceNotFoundException',
  });
  expect(sentenceOf(missing)).toBe(
    'The stream penstock-x-orders is missing: is it deployed in this stage?',
  );
  const doubled =
    'Stream arn arn:aws:kinesis:us-east-1:000000000000:stream/penstock-x-orders not found';
  expect(sentenceOf(Object.assign(new Error(doubled), { name: 'ResourceNotFoundException' }))).toBe(
    'The stream penstock-x-orders is missing: is it deployed in this stage?',
  );
  expect(
    sentenceOf(Object.assign(new Error('long'), { name: 'CredentialsProviderError' })),
  ).toMatch(/^No AWS credentials/);
  expect(sentenceOf(new Error('as it is'))).toBe('as it is');
});

test.each([
  [4566, 'penstock demo --cloud localstack --stay --port 4566'],
  [4599, 'penstock up'],
])('where nobody answers at port %i, `%s` is what starts a cloud there', (port, command) => {
  const refused = { code: 'ECONNREFUSED', address: '127.0.0.1', port };
  expect(sentenceOf(Object.assign(new Error('connect'), refused))).toBe(
    `No cloud answers at 127.0.0.1:${port}: \`${command}\` starts one, --cloud or AWS_ENDPOINT_URL says where.`,
  );
});

test('of entries that the stream refused a person reads how many, why, and what comes of them', () => {
  const counts = { written: 486, throttled: 12, failed: 0, unknown: 2 };
  const json = { level: 'WARN', event: 'PutIncomplete', pipeline: 'orders', ...counts };
  const line = JSON.stringify(json);
  expect(renderEvent({ kind: 'log', functionName: 'f', line, json })).toEqual([
    'f: WARN PutIncomplete: 14 of 500 entries were refused (12 throttled, 2 unknown); they are sent again',
  ]);
});

test('of the cloud’s events a person sees failures, warnings and polls that moved something', () => {
  const log = (json: Record<string, unknown>) =>
    renderEvent({ kind: 'log', functionName: 'f', line: JSON.stringify(json), json });
  expect(log({ level: 'INFO', event: 'PollEnded', published: 0 })).toEqual([]);
  expect(log({ level: 'INFO', event: 'PollEnded', published: 12 })).toEqual([
    'f: 12 records published',
  ]);
  expect(log({ level: 'WARN', message: 'SourceUnavailable', detail: 'cut' })).toEqual([
    'f: WARN SourceUnavailable: cut',
  ]);
  expect(log({ _aws: {}, level: 'ERROR' })).toEqual([]);
  expect(renderEvent({ kind: 'log', functionName: 'f', line: 'a stack' })).toEqual(['f: a stack']);
  expect(
    renderEvent({
      kind: 'event-given-up',
      functionName: 'f',
      condition: 'RetriesExhausted',
      attempts: 3,
    }),
  ).toEqual(['f: given up after 3 attempts: RetriesExhausted']);
});

test('of the alarms a person sees which rings and why, and which rings no more', () => {
  const change = { kind: 'alarm', name: 'errors', reason: 'Errors ≥ 1: 3 at 05:04Z' } as const;
  expect(renderEvent({ ...change, state: 'OK', previous: 'INSUFFICIENT_DATA' })).toEqual([]);
  expect(renderEvent({ ...change, state: 'ALARM', previous: 'OK' })).toEqual([
    'ALARM errors: Errors ≥ 1: 3 at 05:04Z',
  ]);
  expect(renderEvent({ ...change, state: 'OK', previous: 'ALARM' })).toEqual([
    'OK errors: Errors ≥ 1: 3 at 05:04Z',
  ]);
});

test('of the calls that a role does not allow a person sees the first of each kind', () => {
  const refused = { caller: 'function f', action: 'a:B', resource: '*', message: 'User: … not' };
  const lines = (times: number) => renderEvent({ kind: 'call-refused', ...refused, times });
  expect(lines(1)).toEqual(['function f: User: … not']);
  expect(lines(2)).toEqual([]);
});

test('a block is drawn over the one before', () => {
  const written: string[] = [];
  const screen = redrawnBlock((text) => void written.push(text));
  screen.draw(['a', 'b']);
  screen.draw(['c']);
  expect(written).toEqual(['\r\u001b[0Ja\nb\n', '\u001b[2A\r\u001b[0Jc\n']);
});

test('shards stand behind both their parents, in whatever order they are listed', () => {
  const shards = [
    { ShardId: 'merged', ParentShardId: 'left', AdjacentParentShardId: 'right' },
    { ShardId: 'right', ParentShardId: 'root' },
    { ShardId: 'left', ParentShardId: 'root' },
    { ShardId: 'root', ParentShardId: 'trimmed-away' },
  ] as never;
  expect(parentsFirst(shards).map(({ ShardId }) => ShardId)).toEqual([
    'root',
    'left',
    'right',
    'merged',
  ]);
});
