import { expect } from 'vitest';
import { parseFilterCriteria } from '#local/lambda/mapping/filter/record-filter';
import { ofMapping } from '#local/metrics/lambda-measurements';
import { mappingBench, settle } from '#test/local/lambda/mapping/mapping-bench';
import { ruleTest } from '#test/local/rules/rule-test';

const filters = (...patterns: (object | string)[]) => ({
  FilterCriteria: {
    Filters: patterns.map((one) => ({
      Pattern: typeof one === 'string' ? one : JSON.stringify(one),
    })),
  },
});

/** What of some records the function is handed. */
async function passing(
  patterns: readonly (object | string)[],
  ...records: readonly (string | readonly [string, string])[]
): Promise<readonly string[]> {
  const { mapping, log, calls } = mappingBench({ properties: filters(...patterns) });
  log.write('s0', ...records);
  mapping.start();
  await settle();
  await mapping.stop();
  return calls.flatMap(({ texts }) => texts);
}

const faultOf = (...patterns: (object | string)[]): string | undefined => {
  const parsed = parseFilterCriteria(filters(...patterns).FilterCriteria);
  return parsed.kind === 'fault' ? parsed.message : undefined;
};

ruleTest('mapping', 'filter-data', async () => {
  const buy = '{"record":1,"order":{"type":"buy"}}';
  const sell = '{"record":2,"order":{"type":"sell"}}';
  const pattern = { data: { order: { type: ['buy'] } } };
  expect(await passing([pattern], buy, sell, buy)).toEqual([buy, buy]);
});

ruleTest('mapping', 'filter-any', async () => {
  const [a, b, c] = ['{"k":"a"}', '{"k":"b"}', '{"k":"c"}'];
  expect(await passing([{ data: { k: ['a'] } }, { data: { k: ['c'] } }], a, b, c)).toEqual([a, c]);
});

ruleTest('mapping', 'filter-no-json', async () => {
  const pattern = { data: { k: [{ exists: false }] } };
  expect(await passing([pattern], 'text', '{}', '{"k":1}', '{', '5')).toEqual(['{}', '5']);
});

ruleTest(
  'mapping',
  'filter-no-json',
  () => {
    const parsed = parseFilterCriteria(filters({ data: { k: [{ exists: true }] } }).FilterCriteria);
    const asked = (data: Buffer) =>
      parsed.kind === 'filter' &&
      parsed.filter?.(
        { sequenceNumber: '1', partitionKey: 'k', data, arrivalTimeMs: 1 },
        { streamArn: 'arn', shardId: 's0', region: 'r', roleArn: 'role' },
      );
    expect(asked(Buffer.from('{"k":"é"}'))).toBe(true);
    expect(asked(Buffer.from('{"k":"é"}', 'latin1'))).toBe(false);
  },
  'nor text in UTF-8',
);

ruleTest('mapping', 'filter-metadata', async () => {
  const pattern = { partitionKey: [{ prefix: 'eu-' }] };
  const records = [
    ['eu-1', 'no json'],
    ['us-1', '{}'],
    ['eu-2', '{}'],
  ] as const;
  expect(await passing([pattern], ...records)).toEqual(['no json', '{}']);
  const both = { ...pattern, data: { a: [{ exists: false }] } };
  expect(await passing([both], ...records)).toEqual(['{}']);
});

ruleTest('mapping', 'filter-plain-data', () => {
  expect(faultOf({ data: ['text'] })).toMatch(
    /FilterCriteria Invalid filter pattern definition: data/,
  );
  expect(faultOf({ $or: [{ data: ['text'] }, { partitionKey: ['a'] }] })).toMatch(/data/);
});

ruleTest('mapping', 'filter-unknown-key', () => {
  expect(faultOf({ dtaa: { k: ['a'] } })).toMatch(/a Kinesis record has no dtaa/);
  expect(faultOf({ $or: [{ data: { k: [1] } }, { eventName: ['a'], body: ['b'] }] })).toMatch(
    /body/,
  );
});

ruleTest('mapping', 'filter-invalid', () => {
  const bad = [
    '',
    'text',
    '[]',
    'null',
    '{}',
    '{"data":{}}',
    '{"data":{"k":"a"}}',
    '{"data":{"k":[]}}',
    '{"data":{"k":[{"prefix":5}]}}',
    '{"data":{"k":[{"prefix":"a","suffix":"b"}]}}',
    '{"data":{"k":[{"wildcard":"*"}]}}',
    '{"data":{"k":[{"numeric":["<"]}]}}',
    '{"data":{"k":[{"numeric":["<",1,"<",2]}]}}',
    '{"data":{"k":[{"numeric":["~",1]}]}}',
    '{"data":{"k":[{"exists":"yes"}]}}',
    '{"data":{"k":[{"anything-but":[]}]}}',
    '{"data":{"k":[["a"]]}}',
    '{"$or":[{"data":{"k":["a"]}}]}',
  ];
  for (const text of bad)
    expect(faultOf(text), text).toMatch(/Invalid filter pattern definition: ./);
});

ruleTest('mapping', 'filter-limits', () => {
  const one = { data: { k: ['a'] } };
  expect(faultOf(one, one, one, one, one)).toBeUndefined();
  expect(faultOf(one, one, one, one, one, one)).toMatch(/6 filters of 5/);
  const long = (chars: number) => `{"data":{"k":["${'x'.repeat(chars - 19)}"]}}`;
  expect(long(4096)).toHaveLength(4096);
  expect(faultOf(long(4096))).toBeUndefined();
  expect(faultOf(long(4097))).toMatch(/4097 characters/);
});

ruleTest('mapping', 'filter-place', async () => {
  const first = mappingBench({ properties: filters({ data: { k: ['a'] } }) });
  first.log.write('s0', '{"k":"b"}', '{"k":"b"}');
  first.mapping.start();
  await settle();
  await first.mapping.stop();
  const second = mappingBench({ log: first.log, storage: first.storage });
  second.mapping.start();
  await settle();
  expect(second.batches()).toEqual([]);
  expect(first.mapping.isIdle()).toBe(true);
});

ruleTest('mapping', 'filter-batch', async () => {
  const { mapping, log, batches } = mappingBench({
    properties: { ...filters({ data: { k: ['a'] } }), BatchSize: 2 },
  });
  const [a, b] = ['{"k":"a"}', '{"k":"b"}'];
  log.write('s0', a, b, b, a, b, a);
  mapping.start();
  await settle();
  expect(batches()).toEqual([a + a, a]);
});

ruleTest('mapping', 'event-counts', async () => {
  const { mapping, log, events } = mappingBench({ properties: filters({ data: { k: ['a'] } }) });
  log.write('s0', '{"k":"a"}', 'no json', '{"k":"b"}');
  mapping.start();
  await settle();
  const counts = (id?: string) =>
    events
      .flatMap((event) => ofMapping(event, id))
      .filter(({ name }) => name.endsWith('EventCount'))
      .map(({ name, value }) => [name, value]);
  expect(counts('id')).toEqual([
    ['PolledEventCount', 3],
    ['FilteredOutEventCount', 2],
    ['InvokedEventCount', 1],
  ]);
  expect(counts()).toEqual([]);
});
