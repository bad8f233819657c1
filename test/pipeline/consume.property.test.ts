/** The laws of consuming: fold, keyed order, truthful progress, conservation. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { memoryQuarantine } from '#adapters/memory/quarantine';
import { memoryRecordTable } from '#adapters/memory/record-table';
import type { StoredRecord } from '#core/record/records';
import type { StreamEvent } from '#core/record/stream-event';
import type { Quarantine } from '#ports/quarantine';
import type { RecordTable } from '#ports/record-table';
import { consumeWorld, eventOf, recordOf, transient, turns } from './consume-world.ts';

const TOO_LARGE = 'too large';

/** Few keys, alike but for case, and few versions, so that ties and races are common; `observed` is unique by place. */
const sketch = fc.record({
  key: fc.constantFrom('a', 'A', 'b'),
  version: fc.integer({ min: 8, max: 11 }),
  deleted: fc.boolean(),
  large: fc.integer({ min: 0, max: 4 }).map((n) => n === 0),
});
const versions = fc
  .array(sketch, { minLength: 1, maxLength: 14 })
  .map((all) => all.map((one, place) => ({ ...one, observed: place * 3 + 1 })))
  .map((all) =>
    all.map((one) =>
      eventOf({ ...one, data: one.large ? { note: TOO_LARGE } : { n: one.observed } }),
    ),
  );
/** Which deliveries of which events, in which batches: every event at least once. */
const deliveries = versions.chain((events) =>
  fc
    .array(fc.nat({ max: events.length - 1 }), { maxLength: 12 })
    .chain((again) =>
      fc.shuffledSubarray([...events.keys(), ...again], {
        minLength: events.length + again.length,
      }),
    )
    .chain((order) =>
      fc.array(fc.nat({ max: order.length }), { maxLength: 4 }).map((cuts) => ({
        events,
        batches: cut(
          order.map((at, place) => recordOf(97 + place, events[at]!)),
          cuts,
        ),
      })),
    ),
);
/** Answers yes or no over and over, as a dice would; ends with no, so that retries end. */
const dice = fc.array(fc.boolean(), { maxLength: 30 });
const delays = fc.array(fc.nat({ max: 5 }), { maxLength: 20 });

test('whatever is delivered twice, late, side by side or after failures, the newest stands', () =>
  fc.assert(
    fc.asyncProperty(deliveries, dice, delays, async ({ events, batches }, fails, waits) => {
      const memory = memoryRecordTable(judge);
      const quarantine = memoryQuarantine();
      const table = troubled(memory, fails, waits);
      const world = consumeWorld({ table, quarantine });
      await Promise.all(batches.map((batch) => untilDone(world.consume, batch)));
      expect(memory.standing).toEqual(foldByExhaustion(events));
    }),
    { numRuns: 400 },
  ));

test("one key's writes never overlap, and no more keys are written at once than agreed", () =>
  fc.assert(
    fc.asyncProperty(deliveries, delays, async ({ batches }, waits) => {
      const memory = memoryRecordTable(judge);
      const inFlight = new Set<string>();
      let most = 0;
      const next = cycle(waits, 0);
      const table: RecordTable = {
        async upsert(event) {
          expect(inFlight).not.toContain(event.subject);
          inFlight.add(event.subject);
          most = Math.max(most, inFlight.size);
          await turns(next());
          inFlight.delete(event.subject);
          return memory.upsert(event);
        },
      };
      const { consume } = consumeWorld({ table }, { concurrency: 2 });
      for (const batch of batches) await consume(batch);
      expect(most).toBeLessThanOrEqual(2);
    }),
  ));

const batchOfAnything = fc
  .array(fc.oneof({ weight: 4, arbitrary: sketch }, fc.constant('%%%not json')), { maxLength: 14 })
  .map((contents) =>
    contents.map((one, place) =>
      recordOf(
        97 + place,
        typeof one === 'string'
          ? one
          : eventOf({ ...one, observed: place, data: one.large ? { note: TOO_LARGE } : {} }),
      ),
    ),
  );

test('progress is truthful: what is below it is stored, outranked or kept aside', () =>
  fc.assert(
    fc.asyncProperty(batchOfAnything, dice, fc.nat({ max: 40 }), async (batch, fails, ticks) => {
      const memory = memoryRecordTable(judge);
      const kept = memoryQuarantine();
      let nowMs = 0;
      const world = consumeWorld({
        table: troubled(memory, fails, []),
        quarantine: troubledQuarantine(kept, fails.toReversed()),
        clock: { nowMs: () => nowMs++, sleep: async () => {} },
      });
      const { resumeAt } = await world.consume(batch, ticks);

      const unfinished = resumeAt === undefined ? Infinity : Number(resumeAt);
      const placesKept = new Set(kept.kept().map(({ place }) => place.split('-').at(-1)));
      for (const record of batch.filter((one) => Number(one.sequenceNumber) < unfinished)) {
        const isKept = placesKept.has(record.sequenceNumber);
        expect(isKept || isStoredOrOutranked(record, memory.standing)).toBe(true);
      }
      for (const checkpoint of await world.checkpoints()) {
        expect(Number(checkpoint.sequenceNumber)).toBeLessThan(unfinished);
      }
      const below = batch.filter((one) => Number(one.sequenceNumber) < unfinished);
      expect((await world.checkpoints())[0]?.sequenceNumber).toBe(below.at(-1)?.sequenceNumber);
    }),
    { numRuns: 400 },
  ));

test('every record of a batch counts exactly once', () =>
  fc.assert(
    fc.asyncProperty(batchOfAnything, dice, fc.nat({ max: 40 }), async (batch, fails, ticks) => {
      fc.pre(batch.length > 0);
      let nowMs = 0;
      const world = consumeWorld({
        table: troubled(memoryRecordTable(judge), fails, []),
        clock: { nowMs: () => nowMs++, sleep: async () => {} },
      });
      const { resumeAt } = await world.consume(batch, ticks);
      const [told, ...others] = world.summaries();
      expect(others).toEqual([]);
      const { received, written, stale, folded, refused, returned } = told!;
      expect(received).toBe(batch.length);
      expect(written + stale + folded + refused + returned).toBe(received);
      expect(returned > 0).toBe(resumeAt !== undefined);
      expect(refused).toBe(world.quarantine.kept().length);
    }),
  ));

function judge(event: StreamEvent) {
  return event.data['note'] === TOO_LARGE
    ? ({ kind: 'refused', reason: 'item-too-large', detail: 'it is' } as const)
    : undefined;
}

/** The answer by exhaustion: of each key, the event that no other outranks. */
function foldByExhaustion(events: readonly StreamEvent[]): Map<string, StreamEvent> {
  const storable = events.filter((event) => judge(event) === undefined);
  const outranks = (a: StreamEvent, b: StreamEvent) =>
    a.subject === b.subject && a.version + a.observed > b.version + b.observed;
  const newest = storable.filter((event) => !storable.some((other) => outranks(other, event)));
  return new Map(newest.map((event) => [event.subject, event]));
}

function isStoredOrOutranked(record: StoredRecord, standing: ReadonlyMap<string, StreamEvent>) {
  const event = JSON.parse(Buffer.from(record.data).toString()) as StreamEvent;
  const stands = standing.get(event.subject);
  return !!stands && stands.version + stands.observed >= event.version + event.observed;
}

/** A table that fails as the dice fall, before or after its work. */
function troubled(table: RecordTable, fails: readonly boolean[], waits: readonly number[]) {
  const roll = once(fails);
  const wait = cycle(waits, 0);
  return {
    async upsert(event: StreamEvent) {
      await turns(wait());
      if (roll()) throw transient();
      const outcome = await table.upsert(event);
      await turns(wait());
      if (roll()) throw transient();
      return outcome;
    },
  };
}

function troubledQuarantine(quarantine: Quarantine, fails: readonly boolean[]): Quarantine {
  const roll = once(fails);
  return {
    async put(refused) {
      if (roll()) throw transient();
      await quarantine.put(refused);
    },
  };
}

/** Does what an event source mapping does: from the lowest unfinished on, everything again. */
async function untilDone(
  consume: (records: readonly StoredRecord[]) => Promise<{ resumeAt?: string }>,
  batch: readonly StoredRecord[],
): Promise<void> {
  let rest = batch;
  // The dice end with no, so that every batch ends; two rolls an attempt at most.
  for (let attempt = 0; rest.length > 0; attempt++) {
    if (attempt > 60) throw new Error('the batch never ends');
    const { resumeAt } = await consume(rest);
    if (resumeAt === undefined) return;
    rest = rest.slice(rest.findIndex((one) => one.sequenceNumber === resumeAt));
  }
}

function cut<T>(things: readonly T[], cuts: readonly number[]): T[][] {
  const edges = [0, ...cuts, things.length].sort((a, b) => a - b);
  return edges.slice(1).map((end, at) => things.slice(edges[at], end));
}

function once(rolls: readonly boolean[]): () => boolean {
  let at = 0;
  return () => rolls[at++] ?? false;
}

function cycle(values: readonly number[], otherwise: number): () => number {
  let at = 0;
  return () => (values.length === 0 ? otherwise : values[at++ % values.length]!);
}
