/** Parts of the demo that can be seen alone. */
import { readdirSync, rmSync } from 'node:fs';
import { expect, test } from 'vitest';
import { CliError } from '#cli/cli-error';
import { choosePipelines } from '#cli/choose-pipelines';
import { startDemoSource } from '#cli/demo/demo-source';
import { SOURCE_NAMES } from '#cli/demo/sources';
import { shardView } from '#cli/demo/watch-pipeline';
import { listenForInterrupt } from '#cli/interrupt';

const record = (arrivalTimeMs: number, bytes: number) => ({
  shardId: 's',
  sequenceNumber: '1',
  partitionKey: 'key',
  arrivalTimeMs,
  data: new Uint8Array(bytes),
});

test('a shard’s fill is the larger share of its records and of its bytes in the last second', () => {
  const many = Array.from({ length: 250 }, () => record(9_500, 10));
  expect(shardView({ shardId: 's', records: many }, 10_000)).toEqual({
    shardId: 's',
    fill: 0.25,
    recordsPerSec: 250,
  });
  const large = [record(9_900, 524_285)];
  expect(shardView({ shardId: 's', records: large }, 10_000).fill).toBeCloseTo(0.5, 5);
});

test('what arrived more than a second ago fills no shard', () => {
  const records = [record(8_000, 9_999), record(9_000, 9_999), record(9_001, 97)];
  expect(shardView({ shardId: 's', records }, 10_000).recordsPerSec).toBe(1);
  expect(shardView({ shardId: 's', records: [] }, 10_000)).toEqual({
    shardId: 's',
    fill: 0,
    recordsPerSec: 0,
  });
});

test('pipelines are taken from the project’s folder where there are no others', async () => {
  const { pipelines, pipelinesDirectory } = await choosePipelines(SOURCE_NAMES, 'demo');
  expect(pipelines.map(({ name }) => name)).toEqual(['orders', 'payments', 'quakes']);
  expect(pipelinesDirectory).toBeUndefined();
});

test('where there are others, a folder of links holds the chosen alone', async () => {
  const { pipelines, pipelinesDirectory = '' } = await choosePipelines(['quakes'], 'demo');
  expect(pipelines.map(({ name }) => name)).toEqual(['quakes']);
  expect(readdirSync(pipelinesDirectory)).toEqual(['quakes.ts']);
  rmSync(pipelinesDirectory, { recursive: true });
});

test('a pipeline that is not there is named', async () => {
  await expect(choosePipelines(['orders', 'tickets'], 'demo')).rejects.toThrow(
    "There is no pipeline 'tickets'; there are: orders, payments, quakes.",
  );
});

test('a source that does not start is one sentence', async () => {
  await expect(startDemoSource('no-such-source.ts', [])).rejects.toThrow(CliError);
});

test('a source is stopped once, however often it is asked to stop', async () => {
  const source = await startDemoSource('quakes-api.ts', []);
  expect((await fetch(`${source.url}/truth?rows=none`)).ok).toBe(true);
  await source.stop();
  await source.stop();
  await expect(fetch(`${source.url}/truth`)).rejects.toThrow('fetch failed');
});

test('the first interrupt asks, the second insists, and after the end none is heard', () => {
  let insisted = 0;
  const before = process.listenerCount('SIGTERM');
  const interrupt = listenForInterrupt(() => void (insisted += 1));
  expect(interrupt.signal.aborted).toBe(false);
  process.emit('SIGTERM');
  expect([interrupt.signal.aborted, insisted]).toEqual([true, 0]);
  process.emit('SIGTERM');
  expect(insisted).toBe(1);
  interrupt.release();
  expect(process.listenerCount('SIGTERM')).toBe(before);
});
