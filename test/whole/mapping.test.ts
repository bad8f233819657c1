/** What a stream's mapping does with a function that answers, fails, or takes its time. */
import { expect, vi } from 'vitest';
import { capabilityTest } from '#test/clouds/cloud-test';
import { textsOf } from '#test/clouds/probe-server';
import type { Invocation } from '#test/clouds/probe-server';
import { changeMapping, probeApps, recordsOf } from '#test/clouds/probes';
import { PATIENTLY } from '#test/clouds/patience';

/** Where a cloud is known to wait in vain. */
const BRIEFLY = { timeout: 8_000, interval: 50 };
const START_SEC = Math.floor(Date.now() / 1000);

const probesIn = probeApps({
  usual: {
    probed: {
      single: { batchSize: 1 },
      retries: { maximumRetryAttempts: 2 },
      partial: { functionResponseTypes: ['ReportBatchItemFailures'] },
      bisect: { bisectBatchOnFunctionError: true, maximumRetryAttempts: 1 },
      parallel: { parallelizationFactor: 10, batchSize: 4 },
      timestamp: { startingPosition: 'AT_TIMESTAMP', startingPositionTimestamp: START_SEC },
      update: { batchSize: 7 },
    },
  },
  // A cloud that refuses windows refuses the whole app.
  windows: { probed: { tumbling: { tumblingWindowInSeconds: 1 } } },
});

const textsSeen = (seen: readonly Invocation[]) => seen.map((given) => textsOf(given));

capabilityTest(
  'batch-size',
  'two records of one request are two batches of a batch size of 1 [LOCL-08]',
  async (cloud) => {
    const probes = await probesIn(cloud, 'usual');
    const seen = probes.watch('single');
    await probes.put('single', 'first', 'second');
    await vi.waitFor(() => expect(textsSeen(seen)).toEqual([['first'], ['second']]), PATIENTLY);
  },
);

capabilityTest(
  'record-shape',
  'data is base64 once, with a sequence number and an arrival in seconds [LOCL-10]',
  async (cloud) => {
    const probes = await probesIn(cloud, 'usual');
    const seen = probes.watch('single');
    const putAtSec = Date.now() / 1000;
    await probes.put('single', { key: 'k', text: 'hello' });
    await probes.put('single', { key: 'k', text: 'hello' });
    await vi.waitFor(() => expect(seen).toHaveLength(2), PATIENTLY);
    const given = seen.flatMap(({ Records }) => Records.map(({ kinesis }) => kinesis));
    for (const { data, partitionKey, sequenceNumber, approximateArrivalTimestamp } of given) {
      expect({ data, partitionKey }).toEqual({ data: 'aGVsbG8=', partitionKey: 'k' });
      expect(sequenceNumber).toMatch(/^\d{50,}$/);
      expect(Math.abs(approximateArrivalTimestamp - putAtSec)).toBeLessThan(60);
    }
    // One of them may have come on the full second.
    const fractions = given.map((record) => record.approximateArrivalTimestamp % 1);
    expect(Math.max(...fractions)).toBeGreaterThan(0);
  },
);

capabilityTest(
  'retry-attempts',
  'a batch of two retries is tried three times, and then rests at the destination, whole',
  async (cloud) => {
    const probes = await probesIn(cloud, 'usual');
    const seen = probes.watch('retries', (given) => {
      if (textsOf(given).includes('poison')) throw new Error('poison');
    });
    await probes.put('retries', 'poison');
    const [document] = await vi.waitFor(async () => {
      const found = await probes.givenUp('retries');
      expect(found).toHaveLength(1);
      return found;
    }, PATIENTLY);
    expect(textsSeen(seen)).toEqual([['poison'], ['poison'], ['poison']]);
    const { sequenceNumber } = seen[0]!.Records[0]!.kinesis;
    expect(document).toMatchObject({
      requestContext: { condition: 'RetryAttemptsExhausted', approximateInvokeCount: 3 },
      KinesisBatchInfo: {
        batchSize: 1,
        startSequenceNumber: sequenceNumber,
        endSequenceNumber: sequenceNumber,
      },
    });
    expect(textsOf({ Records: recordsOf(document!) })).toEqual(['poison']);

    await probes.put('retries', 'next');
    await vi.waitFor(() => expect(textsSeen(seen).at(-1)).toEqual(['next']), PATIENTLY);
  },
);

capabilityTest(
  'partial-responses',
  'the lowest number that is named is where a batch begins again',
  async (cloud) => {
    const probes = await probesIn(cloud, 'usual');
    const named = ['third', 'second'];
    const seen = probes.watch('partial', ({ Records }) => {
      const failures = named.splice(0).map((name) => numberOf(Records, name));
      return { batchItemFailures: failures.map((itemIdentifier) => ({ itemIdentifier })) };
    });
    await probes.put('partial', 'first', 'second', 'third');
    const expected = [
      ['first', 'second', 'third'],
      ['second', 'third'],
    ];
    await vi.waitFor(() => expect(textsSeen(seen)).toEqual(expected), PATIENTLY);
  },
);

capabilityTest(
  'unknown-item',
  'a number that is in no batch fails the whole batch',
  async (cloud) => {
    const probes = await probesIn(cloud, 'usual');
    const unknown = ['49590338271490256608559692538361571095921575989136588898'];
    const seen = probes.watch('partial', () => ({
      batchItemFailures: unknown.splice(0).map((itemIdentifier) => ({ itemIdentifier })),
    }));
    await probes.put('partial', 'fourth', 'fifth');
    const batch = ['fourth', 'fifth'];
    await vi.waitFor(() => expect(textsSeen(seen)).toEqual([batch, batch]), PATIENTLY);
  },
);

capabilityTest(
  'bisect-on-error',
  'of a batch that fails, only the poison rests at the destination',
  async (cloud) => {
    const probes = await probesIn(cloud, 'usual');
    const done: string[] = [];
    probes.watch('bisect', (given) => {
      if (textsOf(given).includes('poison')) throw new Error('poison');
      done.push(...textsOf(given));
    });
    await probes.put('bisect', 'before', 'poison', 'after');
    const documents = await vi.waitFor(async () => {
      const found = await probes.givenUp('bisect');
      expect(found).not.toEqual([]);
      return found;
    }, PATIENTLY);
    const given = documents.flatMap((document) => textsOf({ Records: recordsOf(document) }));
    expect(given).toEqual(['poison']);
    await vi.waitFor(() => expect(done).toEqual(['before', 'after']), PATIENTLY);
  },
);

capabilityTest(
  'parallelization-factor',
  'batches of one shard run side by side, and each key in order',
  async (cloud) => {
    const probes = await probesIn(cloud, 'usual');
    const held: (() => void)[] = [];
    let isHolding = true;
    const seen = probes.watch('parallel', () => {
      return isHolding ? new Promise<void>((resolve) => held.push(resolve)) : undefined;
    });
    const keys = Array.from({ length: 20 }, (_, i) => `key-${i}`);
    const records = [1, 2].flatMap((turn) => keys.map((key) => ({ key, text: `${key} ${turn}` })));
    await probes.put('parallel', ...records);
    const atOnce = (count: number, wait: typeof PATIENTLY) =>
      vi.waitFor(() => expect(held.length, 'batches at once').toBeGreaterThanOrEqual(count), wait);
    try {
      await atOnce(1, PATIENTLY);
      await atOnce(2, BRIEFLY);
    } finally {
      isHolding = false;
      for (const release of held) release();
    }
    await vi.waitFor(() => expect(textsSeen(seen).flat()).toHaveLength(records.length), PATIENTLY);
    for (const key of keys) {
      const ofKey = textsSeen(seen)
        .flat()
        .filter((text) => text.startsWith(`${key} `));
      expect(ofKey).toEqual([`${key} 1`, `${key} 2`]);
    }
  },
);

capabilityTest(
  'starting-position-timestamp',
  'a mapping that starts at a time is given what came after it',
  async (cloud) => {
    const probes = await probesIn(cloud, 'usual');
    const seen = probes.watch('timestamp');
    await probes.put('timestamp', 'after');
    await vi.waitFor(() => expect(textsSeen(seen)).toEqual([['after']]), BRIEFLY);
  },
);

capabilityTest(
  'mapping-update',
  'a mapping that is changed goes on where it was',
  async (cloud) => {
    const probes = await probesIn(cloud, 'usual');
    const seen = probes.watch('update');
    await probes.put('update', 'before');
    await vi.waitFor(() => expect(textsSeen(seen)).toEqual([['before']]), PATIENTLY);
    await changeMapping(probes, 'update', { BatchSize: 9 });
    await probes.put('update', 'after');
    await vi.waitFor(() => expect(textsSeen(seen).flat()).toContain('after'), PATIENTLY);
    expect(textsSeen(seen).flat()).toEqual(['before', 'after']);
  },
);

capabilityTest(
  'tumbling-windows',
  'a mapping with a tumbling window says which window a batch is of',
  async (cloud) => {
    const probes = await probesIn(cloud, 'windows');
    const seen = probes.watch('tumbling');
    await probes.put('tumbling', 'one');
    await vi.waitFor(() => expect(seen).not.toEqual([]), PATIENTLY);
    expect(seen[0]!.window).toBeDefined();
  },
);

const numberOf = (records: Invocation['Records'], text: string) =>
  records.find((record) => textsOf({ Records: [record] })[0] === text)?.kinesis.sequenceNumber;
