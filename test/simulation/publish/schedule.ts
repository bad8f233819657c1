/** One random run of the publisher, judged by code that shares nothing with it. */
import assert from 'node:assert/strict';
import type { OutgoingRecord, PartitionKey } from '#core/record/records';
import { shardPacer } from '#pipeline/pacer';
import { publish } from '#pipeline/publish';
import type { PublishResult, PutPermission, SizedRecord } from '#pipeline/publish';
import { diceOf } from '#test/simulation/dice';
import type { Dice } from '#test/simulation/dice';
import type { ScheduleReport } from '#test/simulation/run-schedules';
import { virtualTime } from '#test/simulation/virtual-time';
import type { VirtualTime } from '#test/simulation/virtual-time';
import { FAULTLESS, simulatedStream } from './simulated-stream.ts';
import type { StreamFaults } from './simulated-stream.ts';

interface Numbered extends SizedRecord {
  readonly number: number;
}

const START_MS = 1_900_000_000_000;

/** @throws {AssertionError} when a law is broken. */
export async function runSchedule(seed: number): Promise<ScheduleReport> {
  const dice = diceOf(seed);
  const time = virtualTime(START_MS);
  const faults = dice.once(5) ? FAULTLESS : randomFaults(dice);
  const recordsPerSec = faults === FAULTLESS ? Infinity : dice.pick([3, 10, 50, Infinity]);
  const stream = simulatedStream({ shards: 1 + dice.below(4), recordsPerSec, faults }, time, dice);
  const records = randomRecords(dice);
  const limits = {
    requestRecordsMax: 1 + dice.below(6),
    requestBytesMax: dice.pick([24 + dice.below(40), 1_000]),
  };
  const requestsInFlight = 1 + dice.below(4);
  const recordBytesMax = 20;
  const bufferBytesMax = dice.pick([30, 200, 10_000]);
  const deadlineMs = dice.once(4) ? START_MS + dice.below(2_000) : Infinity;
  const controller = new AbortController();
  if (dice.once(8)) void time.sleep(dice.below(500)).then(() => controller.abort());
  const events: string[] = [];
  const report = ({ event }: { readonly event: string }) => void events.push(event);
  const shardLimits = { recordsPerSec: Math.min(recordsPerSec, 1_000), bytesPerSec: 1024 * 1024 };
  const world = { clock: time, chance: dice.roll, report };
  const pacer = shardPacer(
    { pipeline: 'orders', limits: shardLimits },
    {
      shards: stream,
      hashKey: stream.hashKey,
      ...world,
    },
  );
  const fed = feed(records, time, dice);
  const watched = watch(stream.put, fed, limits, requestsInFlight);
  const mayPut = async (): Promise<PutPermission> => {
    if (dice.once(200)) return 'lease-lost';
    return time.nowMs() < deadlineMs ? 'granted' : 'out-of-time';
  };

  const result = await time.run(
    publish<Numbered>(
      fed.records,
      { pipeline: 'orders', limits, recordBytesMax, requestsInFlight, bufferBytesMax },
      {
        ...world,
        writer: { put: watched.put },
        mayPut,
        signal: controller.signal,
        ...(dice.once(4) ? {} : { pacer }),
      },
    ),
  );

  judge({ result, records, recordBytesMax, fed, log: stream.log, confirmed: watched.confirmed });
  assert.equal(watched.inFlight(), 0, 'nothing is in flight at the end');
  assert.ok(fed.mostHeldBytes() <= bufferBytesMax + recordBytesMax, 'memory is bounded');
  if (faults === FAULTLESS && result.kind === 'published' && fed.isAtHand) {
    const greedy = greedyRequests(
      records.filter(({ bytes }) => bytes <= recordBytesMax),
      limits,
    );
    // Where bytes bind, another order of requests packs them better or worse by chance.
    const isWhole =
      bufferBytesMax === 10_000 && (requestsInFlight === 1 || limits.requestBytesMax >= 6 * 20);
    if (isWhole)
      assert.ok(stream.requests.length <= greedy, `${stream.requests.length} > ${greedy}`);
  }
  const reached = new Map(stream.happened);
  for (const one of [`end ${result.kind}`, ...events])
    reached.set(one, (reached.get(one) ?? 0) + 1);
  if (faults === FAULTLESS) reached.set('faultless', 1);
  if (result.refused.length > 0) reached.set('refused before sending', 1);
  if (watched.mostInFlight() > 1) reached.set('several in flight', 1);
  if (watched.mostInFlight() === requestsInFlight) reached.set('flight full', 1);
  const operations = records.length + stream.requests.length + sum(stream.happened.values());
  return { operations, reached };
}

function randomFaults(dice: Dice): StreamFaults {
  const often = () => dice.pick([0, 0, 3, 10, 40]);
  return {
    entryFails: often(),
    wholeThrottled: often(),
    unanswered: often(),
    fewerAnswers: often(),
    refused: dice.pick([0, 0, 0, 60]),
    reshards: often(),
    listingFails: dice.pick([0, 0, 2]),
  };
}

function randomRecords(dice: Dice): readonly Numbered[] {
  const keys = Array.from({ length: dice.pick([1, 3, 12, 60]) }, (_, at) => `k${at}`);
  return Array.from({ length: 30 + dice.below(60) }, (_, number) => {
    const partitionKey = (dice.once(30) ? '' : dice.pick(keys)) as PartitionKey;
    const bytes = dice.once(20) ? 21 : 1 + dice.below(20);
    const data = Buffer.from(String(number));
    return { number, partitionKey, bytes, record: { partitionKey, data } };
  });
}

/** Hands the records over, at hand or as they come; keeps count of what is held. */
function feed(records: readonly Numbered[], time: VirtualTime, dice: Dice) {
  let given = 0;
  let heldBytes = 0;
  let mostBytes = 0;
  const isAtHand = dice.once(2);
  function* atHand() {
    for (const record of records) yield give(record);
  }
  async function* asTheyCome() {
    for (const record of records) {
      if (dice.once(4)) await time.sleep(dice.below(30));
      yield give(record);
    }
  }
  const give = (record: Numbered): Numbered => {
    given++;
    if (record.bytes <= 20 && record.partitionKey !== ('' as string)) heldBytes += record.bytes;
    mostBytes = Math.max(mostBytes, heldBytes);
    return record;
  };
  return {
    records: isAtHand ? atHand() : asTheyCome(),
    isAtHand,
    given: () => given,
    letGo: (number: number) => void (heldBytes -= records[number]?.bytes ?? 0),
    mostHeldBytes: () => mostBytes,
  };
}

/** Stands between publisher and stream, and checks each request as it is made. */
function watch(
  put: (
    records: readonly OutgoingRecord[],
    signal?: AbortSignal,
  ) => Promise<readonly { kind: string }[]>,
  fed: ReturnType<typeof feed>,
  limits: { readonly requestRecordsMax: number; readonly requestBytesMax: number },
  requestsInFlight: number,
) {
  const confirmed = new Set<number>();
  const out = new Set<string>();
  let flying = 0;
  let most = 0;
  return {
    confirmed,
    inFlight: () => flying,
    mostInFlight: () => most,
    async put(records: readonly OutgoingRecord[], signal?: AbortSignal): Promise<never> {
      flying++;
      most = Math.max(most, flying);
      assert.ok(flying <= requestsInFlight, 'requests in flight are bounded');
      assert.ok(records.length > 0 && records.length <= limits.requestRecordsMax);
      for (const record of records) {
        assert.ok(!out.has(record.partitionKey), 'of a key one record is out at most');
        out.add(record.partitionKey);
        assert.ok(!confirmed.has(numberOf(record)), 'what is confirmed is not sent again');
      }
      try {
        const outcomes = await put(records, signal);
        for (const [at, { kind }] of outcomes.entries()) {
          if (kind !== 'written') continue;
          confirmed.add(numberOf(records[at] as OutgoingRecord));
          fed.letGo(numberOf(records[at] as OutgoingRecord));
        }
        return outcomes as never;
      } finally {
        flying--;
        for (const { partitionKey } of records) out.delete(partitionKey);
      }
    },
  };
}

const numberOf = ({ data }: OutgoingRecord): number => Number(Buffer.from(data).toString());

function judge({
  result,
  records,
  recordBytesMax,
  fed,
  log,
  confirmed,
}: {
  readonly result: PublishResult<Numbered>;
  readonly records: readonly Numbered[];
  readonly recordBytesMax: number;
  readonly fed: ReturnType<typeof feed>;
  readonly log: readonly OutgoingRecord[];
  readonly confirmed: ReadonlySet<number>;
}): void {
  const isGood = ({ partitionKey, bytes }: Numbered) =>
    partitionKey.length > 0 && bytes <= recordBytesMax;
  const accepted = records.filter(isGood).slice(0, result.accepted);
  const given = records.slice(0, fed.given());
  // Conservation: accepted is confirmed or returned; refused is what no stream takes.
  assert.equal(result.accepted, result.confirmed + result.returned);
  assert.equal(result.returned, result.unconfirmed.length);
  assert.equal(result.confirmed, confirmed.size);
  const returned = result.unconfirmed.map(({ number }) => number);
  assert.deepEqual(
    returned,
    accepted.map(({ number }) => number).filter((number) => !confirmed.has(number)),
  );
  const refused = result.refused.map(({ record }) => record.number);
  assert.deepEqual(
    refused,
    given
      .filter((one) => !isGood(one))
      .map(({ number }) => number)
      .slice(0, refused.length),
  );
  const written = new Set(log.map(numberOf));
  for (const number of confirmed) assert.ok(written.has(number), 'what is confirmed is written');
  const known = new Set(accepted.map(({ number }) => number));
  for (const number of written) assert.ok(known.has(number), 'nothing is invented');
  if (result.kind === 'published')
    assert.deepEqual([accepted.length, returned], [records.filter(isGood).length, []]);
  // The safe place: everything before it is confirmed, and what stands there is not.
  const open = accepted.findIndex(({ number }) => !confirmed.has(number));
  assert.equal(result.frontier, open < 0 ? result.accepted : open);
  // Order: first successful writes of a key.
  const last = new Map<string, number>();
  const seen = new Set<number>();
  for (const record of log) {
    const number = numberOf(record);
    if (seen.has(number)) continue;
    seen.add(number);
    assert.ok(
      number > (last.get(record.partitionKey) ?? -1),
      `key ${record.partitionKey} at ${number}`,
    );
    last.set(record.partitionKey, number);
  }
}

/** The plan of one request at a time: the oldest record of each key, in order, until one does not fit. */
function greedyRequests(
  records: readonly Numbered[],
  limits: { readonly requestRecordsMax: number; readonly requestBytesMax: number },
): number {
  let rest = records.filter(({ partitionKey }) => partitionKey.length > 0);
  let requests = 0;
  while (rest.length > 0) {
    const keys = new Set<string>();
    const request = new Set<Numbered>();
    let bytes = 0;
    for (const record of rest) {
      if (keys.has(record.partitionKey)) continue;
      if (request.size === limits.requestRecordsMax) break;
      if (bytes + record.bytes > limits.requestBytesMax) break;
      keys.add(record.partitionKey);
      request.add(record);
      bytes += record.bytes;
    }
    rest = rest.filter((record) => !request.has(record));
    requests++;
  }
  return requests;
}

function sum(values: Iterable<number>): number {
  let total = 0;
  for (const value of values) total += value;
  return total;
}
