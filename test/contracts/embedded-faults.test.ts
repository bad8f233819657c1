/** The path through a local cloud that fails as the plan says: what the ports' promises are for. */
import { expect, onTestFinished, test } from 'vitest';
import type { PartitionKey } from '#core/record/records';
import type { FaultPlan } from '#local/contracts';
import { publish } from '#pipeline/publish';
import { consumeWorld, eventOf, recordOf } from '#test/pipeline/consume-world';
import { publishWorld } from '#test/pipeline/publish-world';
import { embeddedEndpoint } from './embedded-endpoint.ts';
import { endpointPorts } from './endpoint-ports.ts';

async function openPorts(faults: FaultPlan) {
  const { kinesis, close, ...endpoint } = await embeddedEndpoint(faults);
  onTestFinished(close);
  return { kinesis, ports: endpointPorts(endpoint) };
}

test('publishing writes every record, and first writes of a key in order', async () => {
  let entry = 0;
  let request = 0;
  const { kinesis, ports } = await openPorts({
    onPut: () => (++entry % 5 === 0 ? 'throttle' : entry % 7 === 0 ? 'fail' : undefined),
    onPutRequest: () => (++request % 4 === 0 ? 'timeout-after-write' : undefined),
  });
  const { streamName, writer } = await ports.stream();
  const records = Array.from({ length: 200 }, (_, at) => {
    const partitionKey = `key-${at % 17}` as PartitionKey;
    return { partitionKey, bytes: 10, record: { partitionKey, data: new Uint8Array([at]) } };
  });
  const result = await publish(records, { pipeline: 'orders' }, publishWorld(writer));
  expect(result.kind).toBe('published');
  expect(result.resent).toBeGreaterThan(20);

  const all = { records: 10_000, bytes: 1e9 };
  const stored = kinesis
    .listShards(streamName)
    .flatMap(
      ({ shardId }) => kinesis.read(streamName, shardId, { kind: 'trim-horizon' }, all).records,
    );
  for (let key = 0; key < 17; key++) {
    const writes = stored.filter((r) => r.partitionKey === `key-${key}`).map((r) => r.data[0]!);
    const firsts = writes.filter((number, at) => writes.indexOf(number) === at);
    const wanted = records.map((_, at) => at).filter((at) => at % 17 === key);
    expect(firsts).toEqual(wanted);
  }
});

test('through throttles and lost answers every key ends at its newest version', async () => {
  let asked = 0;
  const { ports } = await openPorts({
    onTable: () =>
      ++asked % 5 === 0 ? 'throttle' : asked % 7 === 0 ? 'timeout-after-write' : undefined,
  });
  const { table, read } = await ports.records();
  const { quarantine, kept } = await ports.quarantine();
  const { store: checkpoints } = await ports.checkpoints();
  const world = consumeWorld({ table, quarantine, checkpoints });
  const batch = Array.from({ length: 60 }, (_, at) =>
    at % 20 === 13
      ? recordOf(90 + at, '%%%not json')
      : recordOf(90 + at, eventOf({ key: `k${at % 9}`, version: (at * 7) % 60, data: { at } })),
  );
  let rest: readonly (typeof batch)[number][] = batch;
  for (let attempt = 0; rest.length > 0 && attempt < 40; attempt++) {
    const { resumeAt } = await world.consume(rest);
    rest = rest.slice(
      resumeAt ? rest.findIndex((one) => one.sequenceNumber === resumeAt) : rest.length,
    );
  }
  expect(rest).toEqual([]);
  expect(world.summaries().length).toBeGreaterThan(1);

  for (let key = 0; key < 9; key++) {
    const places = [...batch.keys()].filter((at) => at % 9 === key && at % 20 !== 13);
    const newest = places.reduce((a, b) => ((a * 7) % 60 > (b * 7) % 60 ? a : b));
    expect(await untilAnswered(() => read(`k${key}`))).toEqual({ order_id: `k${key}`, at: newest });
  }
  expect((await kept()).map(({ reason }) => reason)).toEqual(Array(3).fill('not-json'));
});

async function untilAnswered<T>(ask: () => Promise<T>): Promise<T> {
  for (let attempt = 0; attempt < 5; attempt++) {
    try {
      return await ask();
    } catch {
      // A fault of the plan; the next one is asked.
    }
  }
  return ask();
}
