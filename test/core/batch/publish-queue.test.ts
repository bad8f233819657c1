import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Defect } from '#core/assert';
import { NO_LANES, publishQueue } from '#core/batch/publish-queue';
import type { Entry, Pending, PublishQueue } from '#core/batch/publish-queue';
import { RECORD_BYTES_MAX_DEFAULT, refuseOversized } from '#core/batch/record-size';
import { refuseRecord } from '#core/batch/refuse-record';
import { REQUEST_LIMITS } from '#core/batch/request-limits';

// Ceilings are tiny and records often tinier, so that each ceiling is the one hit, often.
const limits = { requestRecordsMax: 3, requestBytesMax: 20 };
const record = fc.record({
  partitionKey: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g'),
  bytes: fc.oneof(fc.constant(1), fc.integer({ min: 1, max: 20 })),
});
const run = fc.array(record, { maxLength: 15 });
/** Tried first, in every run of the tests: each ceiling reached, met exactly, and passed by one. */
const BOUNDS: [Pending[]][] = [
  [],
  [['a', 20]],
  [
    ['a', 10],
    ['b', 10],
    ['c', 1],
  ],
  [
    ['a', 19],
    ['b', 2],
  ],
  [
    ['a', 1],
    ['b', 1],
    ['c', 1],
    ['d', 1],
  ],
  [
    ['a', 1],
    ['a', 1],
    ['b', 19],
    ['a', 20],
  ],
].map((records) => [
  records.map(([partitionKey, bytes]) => ({
    partitionKey: String(partitionKey),
    bytes: Number(bytes),
  })),
]);

const queueOf = (records: readonly Pending[]): PublishQueue<Pending> => {
  const queue = publishQueue<Pending>(limits);
  for (const one of records) queue.push(one);
  return queue;
};
const placesOf = (entries: readonly Entry<Pending>[]) => entries.map(({ place }) => place);
const confirmed = () => true;

describe('a request', () => {
  test('agrees with the slow one', () =>
    fc.assert(
      fc.property(run, (records) => {
        const taken = queueOf(records).take(NO_LANES);
        expect(taken.map((one) => one.record)).toEqual(slowRequest(records));
      }),
      { numRuns: 1_000, examples: BOUNDS },
    ));

  test('is empty only when there is nothing to send', () =>
    fc.assert(
      fc.property(run, (records) => {
        expect(queueOf(records).take(NO_LANES).length > 0).toBe(records.length > 0);
      }),
      { examples: BOUNDS },
    ));
});

/** The longest prefix of first-of-key records that fits, found by trying every length. */
function slowRequest(records: readonly Pending[]): readonly Pending[] {
  const firsts = records.filter(
    (r, at) => records.findIndex((o) => o.partitionKey === r.partitionKey) === at,
  );
  const fits = (part: readonly Pending[]) =>
    part.length <= limits.requestRecordsMax &&
    part.map(({ bytes }) => bytes).reduce((a, b) => a + b, 0) <= limits.requestBytesMax;
  return firsts.map((_, at) => firsts.slice(0, at + 1)).findLast(fits) ?? [];
}

type Step =
  | { kind: 'push'; record: Pending }
  | { kind: 'take' }
  | { kind: 'settle'; which: number; fates: boolean[] }
  | { kind: 'lane'; partitionKey: string; isOpen: boolean }
  | { kind: 'forget' };

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: record.map((one): Step => ({ kind: 'push', record: one })) },
  { weight: 4, arbitrary: fc.constant<Step>({ kind: 'take' }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('settle' as const),
      which: fc.nat(4),
      fates: fc.array(fc.boolean(), { minLength: 3, maxLength: 3 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('lane' as const),
      partitionKey: fc.constantFrom('a', 'b', 'c'),
      isOpen: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.constant<Step>({ kind: 'forget' }) },
);

test('whatever is sent, answered and held: a key’s records go one by one, in order, none is lost', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const queue = publishQueue<Pending>(limits);
      const pushed: Pending[] = [];
      const done = new Set<number>();
      const out: (readonly Entry<Pending>[])[] = [];
      const shut = new Set<string>();
      const hasLane = new Set<string>();
      const lanes = {
        laneOf: ({ partitionKey }: Pending) =>
          hasLane.has(partitionKey) ? partitionKey : undefined,
        admits(lane: string) {
          expect(hasLane.has(lane)).toBe(true);
          return !shut.has(lane);
        },
      };
      for (const one of steps) {
        if (one.kind === 'push') {
          queue.push(one.record);
          pushed.push(one.record);
        } else if (one.kind === 'take') {
          const taken = queue.take(lanes);
          const bytes = taken.reduce((sum, { record: { bytes: own } }) => sum + own, 0);
          expect(bytes).toBeLessThanOrEqual(limits.requestBytesMax);
          expect(taken.length).toBeLessThanOrEqual(limits.requestRecordsMax);
          expect(placesOf(taken)).toEqual(placesOf(taken).toSorted((a, b) => a - b));
          out.push(taken);
          for (const { place, record: sent } of taken) {
            expect(shut.has(sent.partitionKey) && hasLane.has(sent.partitionKey)).toBe(false);
            const older = pushed
              .slice(0, place)
              .flatMap((p, at) =>
                p.partitionKey === sent.partitionKey && !done.has(at) ? [at] : [],
              );
            expect(older).toEqual([]);
            expect(pushed[place]).toBe(sent);
          }
          const keys = out.flat().map(({ record: { partitionKey } }) => partitionKey);
          expect(new Set(keys).size).toBe(keys.length);
        } else if (one.kind === 'settle') {
          const [taken] = out.splice(one.which % Math.max(1, out.length), 1);
          if (taken === undefined) continue;
          queue.settle(taken, (at) => one.fates[at] ?? false);
          taken.forEach(({ place }, at) => one.fates[at] && done.add(place));
        } else if (one.kind === 'lane') {
          hasLane.add(one.partitionKey);
          if (one.isOpen) shut.delete(one.partitionKey);
          else shut.add(one.partitionKey);
        } else {
          queue.forgetLanes();
          hasLane.clear();
          shut.clear();
        }
        const open = pushed.flatMap((_, place) => (done.has(place) ? [] : [place]));
        const unanswered = out.flat().map(({ place }) => place);
        expect(queue.size()).toBe(open.length);
        expect(queue.bytes()).toBe(
          open.reduce((sum, place) => sum + (pushed[place]?.bytes ?? 0), 0),
        );
        expect(queue.frontier()).toBe(open[0] ?? pushed.length);
        expect(queue.accepted()).toBe(pushed.length);
        const firstOfKey = new Set<string>();
        const blocked = open.filter((place) => {
          const { partitionKey = '' } = pushed[place] ?? {};
          return firstOfKey.has(partitionKey) || !firstOfKey.add(partitionKey);
        });
        expect(queue.isUnblocked()).toBe(blocked.length === 0);
        expect(new Set(unanswered).size).toBe(unanswered.length);
      }
      for (const taken of out) queue.settle(taken, () => false);
      const left = pushed.flatMap((_, place) => (done.has(place) ? [] : [place]));
      expect(placesOf(queue.drain())).toEqual(left);
    }),
    { numRuns: 1_000 },
  );
});

test('a queue that is worked off one request at a time sends what the greedy plan sends', () => {
  fc.assert(
    fc.property(run, (records) => {
      const queue = queueOf(records);
      let rest: readonly Pending[] = records;
      while (rest.length > 0) {
        const request = slowRequest(rest);
        const taken = queue.take(NO_LANES);
        expect(taken.map((one) => one.record)).toEqual(request);
        queue.settle(taken, confirmed);
        rest = rest.filter((one) => !request.includes(one));
      }
      expect(queue.take(NO_LANES)).toEqual([]);
    }),
    { examples: BOUNDS },
  );
});

test('a request is to spare when it is full, and so is one for each that waits behind a key', () => {
  const of = (keys: string) =>
    queueOf([...keys].map((partitionKey) => ({ partitionKey, bytes: 1 })));
  const spare = ['abc', 'ab', 'aabcdefg', 'aabcde', 'aabcdef', 'aaabcdefghi', 'aaabcdefg'];
  expect(spare.map((keys) => of(keys).hasRequestToSpare())).toEqual([
    true,
    false,
    true,
    false,
    true,
    true,
    false,
  ]);
  expect(queueOf([{ partitionKey: 'a', bytes: 20 }]).hasRequestToSpare()).toBe(true);
  const shorter = of('aabcde');
  shorter.settle(shorter.take(NO_LANES).slice(0, 1), confirmed);
  shorter.push({ partitionKey: 'x', bytes: 1 });
  expect(placesOf(shorter.take(NO_LANES))).toEqual([1, 4, 5]);
});

test('PROD-12: six records near the limit go in two requests, five and one, keys counted', () => {
  const queue = publishQueue<Pending>({ requestRecordsMax: 500, requestBytesMax: 5_242_880 });
  for (let at = 0; at < 6; at++) queue.push({ partitionKey: `${at}`, bytes: 1_000_200 });
  expect(placesOf(queue.take(NO_LANES))).toEqual([0, 1, 2, 3, 4]);
  expect(placesOf(queue.take(NO_LANES))).toEqual([5]);
});

test('a record that no request could hold is a defect: it is refused before it is queued', () => {
  const queueIt = () => queueOf([{ partitionKey: 'a', bytes: 21 }]);
  expect(queueIt).toThrow(Defect);
  expect(queueIt).toThrow('every record fits in a request');
});

test('the frontier waits for the oldest, and then passes all that were confirmed before it', () => {
  const queue = queueOf(['a', 'b', 'c', 'd'].map((partitionKey) => ({ partitionKey, bytes: 1 })));
  const [first, second, third] = queue.take(NO_LANES);
  const frontiers = [third, second, first].map((entry) => {
    queue.settle([entry!], confirmed);
    return queue.frontier();
  });
  expect(frontiers).toEqual([0, 0, 3]);
  queue.settle(queue.take(NO_LANES), confirmed);
  expect(queue.frontier()).toBe(4);
});

test('a lane that is open or shut holds its own records, is gone when it is empty, and no lane holds none', () => {
  const queue = queueOf(['a', 'b'].map((partitionKey) => ({ partitionKey, bytes: 20 })));
  const isOpen = { a: false };
  const lanes = {
    laneOf: ({ partitionKey }: Pending) => (partitionKey === 'a' ? 'a' : undefined),
    admits: () => isOpen.a,
  };
  expect(placesOf(queue.take(lanes))).toEqual([1]);
  expect(queue.lanes()).toEqual(['a']);
  expect(queue.hasWaiting()).toBe(true);
  isOpen.a = true;
  expect(placesOf(queue.take(lanes))).toEqual([0]);
  expect(queue.lanes()).toEqual([]);
  expect(queue.hasWaiting()).toBe(false);
  expect(NO_LANES.admits('a', 1)).toBe(true);
});

test('bytes that are ready count again when a lane is forgotten, and no more once they are taken', () => {
  const queue = queueOf(['a', 'b'].map((partitionKey) => ({ partitionKey, bytes: 10 })));
  const held = { laneOf: () => 'shard', admits: () => false };
  expect(queue.hasRequestToSpare()).toBe(true);
  expect(queue.take(held)).toEqual([]);
  expect(queue.hasRequestToSpare()).toBe(false);
  queue.forgetLanes();
  expect(queue.lanes()).toEqual([]);
  expect(queue.hasRequestToSpare()).toBe(true);
});

test('what was tried and failed goes before a younger one whose lane has opened', () => {
  const queue = queueOf(['x', 'y', 'z'].map((partitionKey) => ({ partitionKey, bytes: 1 })));
  const lanes = (isOpen: boolean) => ({
    laneOf: ({ partitionKey }: Pending) => (partitionKey === 'z' ? 'shard' : undefined),
    admits: () => isOpen,
  });
  const taken = queue.take(lanes(false));
  queue.settle(taken, (at) => at === 0);
  expect(placesOf(queue.take(lanes(true)))).toEqual([1, 2]);
});

test('a lane that is worked off one by one keeps the others', () => {
  const queue = queueOf(['a', 'b'].map((partitionKey) => ({ partitionKey, bytes: 1 })));
  expect(queue.hasWaiting()).toBe(true);
  let left = 0;
  const lanes = { laneOf: () => 'shard', admits: () => left-- > 0 };
  expect(placesOf(queue.take(lanes))).toEqual([]);
  left = 1;
  expect(placesOf(queue.take(lanes))).toEqual([0]);
  expect(queue.lanes()).toEqual(['shard']);
  left = 1;
  expect(placesOf(queue.take(lanes))).toEqual([1]);
  expect(queue.hasWaiting()).toBe(false);
});

test('the limits are those of Kinesis', () => {
  expect(REQUEST_LIMITS).toEqual({ requestRecordsMax: 500, requestBytesMax: 10_485_760 });
  expect(RECORD_BYTES_MAX_DEFAULT).toBe(1_048_576);
});

test('a request that holds nothing is no limit', () => {
  expect(() => publishQueue({ requestRecordsMax: 1, requestBytesMax: 9 })).not.toThrow();
  expect(() => publishQueue({ requestRecordsMax: 0, requestBytesMax: 9 })).toThrow(
    'a request holds at least one record',
  );
});

test('PROD-08: the partition key counts towards the size of a record, up to the limit and not beyond', () => {
  const bytes = 1_048_570 + 'order-123'.length;
  expect(refuseOversized(bytes, 1_048_576)).toEqual({
    kind: 'refused',
    reason: 'record-too-large',
    detail: 'partition key and data take 1048579 bytes; the stream accepts 1048576',
  });
  expect(refuseOversized(1_048_576, 1_048_576)).toBeUndefined();
});

test.each([
  ['', 'no-partition-key'],
  ['x'.repeat(257), 'key-too-long'],
  ['\u{1F600}'.repeat(256), undefined],
  ['\u{1F600}'.repeat(257), 'key-too-long'],
  ['a\uD800b', 'key-too-long'],
])('a partition key is judged before it is sent, by its characters', (partitionKey, reason) => {
  expect(refuseRecord({ partitionKey, bytes: 9 }, 1_048_576)?.reason).toBe(reason);
});

test('a partition key that is none is refused with the reason in words', () => {
  const refusalOf = (partitionKey: string) => refuseRecord({ partitionKey, bytes: 9 }, 100);
  expect(refusalOf('')).toEqual({
    kind: 'refused',
    reason: 'no-partition-key',
    detail: 'the partition key is empty',
  });
  expect(refusalOf('x'.repeat(257))).toEqual({
    kind: 'refused',
    reason: 'key-too-long',
    detail: 'the partition key is no text of 1 to 256 characters',
  });
  expect(refuseRecord({ partitionKey: 'a', bytes: 101 }, 100)).toMatchObject({
    reason: 'record-too-large',
  });
});
