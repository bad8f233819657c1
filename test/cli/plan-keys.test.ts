/** penstock plan --keys as a user sees it. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { planPipeline } from '#cli/plan/plan-pipeline';
import { readKeyHistogram } from '#cli/plan/key-histogram';
import { keySpreadLines } from '#cli/render/key-spread';
import { planJson, renderPlan } from '#cli/render/plan';
import type { PipelineInput } from '#config/pipeline-input';
import { keySpread } from '#core/capacity/key-spread';
import { settingsOf, ticketsInput } from '#test/config/pipeline-input';
import { runRecorded } from './run-recorded.ts';

let directory = '';
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'penstock-keys-'));
});
afterAll(() => rmSync(directory, { recursive: true }));

function fileOf(...lines: readonly string[]): string {
  const path = join(directory, 'keys.jsonl');
  writeFileSync(path, lines.map((line) => `${line}\n`).join(''));
  return path;
}

/** Twenty writers, each with the keys 0 to 4 anew. */
const RESTARTED = Array.from({ length: 100 }, (_, at) => `{"partitionKey":"${at % 5}"}`);

async function planned(over: Partial<PipelineInput>, ...lines: readonly string[]) {
  const ask = { stage: 'dev', region: 'us-east-1', meanPercent: undefined };
  const keys = await readKeyHistogram(fileOf(...lines));
  const pipelines = [planPipeline(settingsOf(ticketsInput(over)), ask, keys)];
  return { ask, shared: [], pipelines };
}

const hotLoad = { recordsPerSecPeak: 6_000, recordBytesMean: 500, headroom: 1 };

describe('CAPA-11: keys that every writer begins anew', () => {
  test('are told to use five shards at most, and to be too hot for any number of them', async () => {
    const whole = await planned({ stream: { load: hotLoad } }, ...RESTARTED);
    const text = renderPlan(whole).join('\n');
    expect(text).toContain(
      "Keys: 5 keys in 100 records; the most, 20 %, belong to meta.ticket_id '0'",
    );
    expect(text).toContain(
      'They can use 5 of 6 shards at most, and use 3: their MD5 decides which.',
    );
    expect(text).toMatch(/^ {2}shard 4 {2}█{24} {2}60 % {2}3 keys$/m);
    expect(text).toContain(
      'asked for 3,600 records/s, 3.6 times the records that a shard takes: it throttles.',
    );
    expect(text).toContain(
      '1.2 times the records that a shard takes: one key is in one shard, so no number',
    );
    expect(text).toContain('at 10 ms a request that is 100 records/s');
    expect(planJson(whole).pipelines[0]?.keys).toMatchObject({ keys: 5, records: 100 });
  });

  test('are told to use five shards at most on demand, where no load is described', async () => {
    const whole = await planned({ stream: { load: { onDemand: true } } }, ...RESTARTED);
    const text = renderPlan(whole).join('\n');
    expect(text).toContain('5 keys can use 5 shards at most, however many AWS adds.');
    expect(text).not.toContain('it throttles');
    expect(planJson(whole).pipelines[0]?.keys).toMatchObject({ keys: 5, atPeak: null });
  });
});

test('keys that fit their shard and a round trip are not warned of', async () => {
  const load = { recordsPerSecPeak: 200, recordBytesMean: 500, headroom: 1 };
  const keys = await readKeyHistogram(fileOf(...RESTARTED));
  const text = keySpreadLines(
    keySpread(keys, { ...load, sharedReaders: 1, shardCount: 1 }),
    'id',
  ).join('\n');
  expect(text).toMatch(/fullest shard is asked for 200 records\/s, 0\.2 times .* takes\.$/m);
  expect(text).toMatch(/hottest key has 40 records\/s of it, 0\.04 times .* takes\.$/m);
  expect(text).not.toContain('falls behind');
});

test('of many shards the fullest are shown', async () => {
  const many = Array.from({ length: 200 }, (_, at) => `{"partitionKey":"k-${at}"}`);
  const keys = await readKeyHistogram(fileOf(...many));
  const lines = keySpreadLines(
    keySpread(keys, {
      recordsPerSecPeak: 20,
      recordBytesMean: 5,
      sharedReaders: 1,
      shardCount: 12,
    }),
    'id',
  );
  const shares = lines.flatMap(
    (line) => /([\d.]+) % {1,3}/.exec(line.replace(/.*Keys:.*/, ''))?.[1] ?? [],
  );
  expect(shares).toHaveLength(10);
  expect(shares.map(Number)).toEqual(shares.map(Number).toSorted((a, b) => b - a));
  expect(lines).toContain('  and 2 shards with less each');
});

describe('a file of keys', () => {
  test('counts a line once unless it says more, and adds up lines of a key', async () => {
    const path = fileOf(
      '{"partitionKey":"a","count":3}',
      '',
      '{"shardId":"shardId-000000000000","partitionKey":"b","event":{"id":1}}',
      '{"partitionKey":"a"}',
    );
    const keys = await readKeyHistogram(path);
    expect(keys.map(({ partitionKey, count }) => [partitionKey, count])).toEqual([
      ['a', 4],
      ['b', 1],
    ]);
  });

  test.each([
    '{"key":"a"}',
    'a,3',
    '7',
    'null',
    '{"partitionKey":7}',
    '{"partitionKey":""}',
    '{"partitionKey":"a","count":0}',
    '{"partitionKey":"a","count":1.5}',
    '{"partitionKey":"a","count":"3"}',
  ])('with the line %s is refused by its number', async (line) => {
    const path = fileOf('{"partitionKey":"a"}', line);
    await expect(readKeyHistogram(path)).rejects.toThrow(`${path}:2 is no line such as {"part`);
  });

  test('without a key, or that is not there, is refused', async () => {
    await expect(readKeyHistogram(fileOf(''))).rejects.toThrow('holds no key');
    await expect(readKeyHistogram(join(directory, 'none'))).rejects.toThrow(
      'cannot be read: ENOENT',
    );
  });
});

test('the command asks for one pipeline, and reads the keys of it', async () => {
  const path = fileOf(...RESTARTED);
  const run = (...argv: readonly string[]) => runRecorded(['plan', ...argv, '--keys', path]);
  expect(await run('orders', 'quakes')).toEqual({
    code: 2,
    out: '',
    err: '--keys is about one pipeline, not 2: name it.\n',
  });
  expect(await run('orders')).toMatchObject({
    code: 0,
    out: expect.stringContaining('Keys: 5 keys'),
  });
});
