/** What holds when invocations of one shard run at the same time, in every order of what they do. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { memoryBreakerStore } from '#adapters/memory/breaker-store';
import { memoryQuarantine } from '#adapters/memory/quarantine';
import { memoryRecordTable } from '#adapters/memory/record-table';
import type { StoredRecord } from '#core/record/records';
import type { StreamEvent } from '#core/record/stream-event';
import { consumeWorld, eventOf, recordOf } from './consume-world.ts';

const sketch = fc.record({
  key: fc.constantFrom('a', 'A', 'b'),
  version: fc.integer({ min: 8, max: 11 }),
  deleted: fc.boolean(),
});
const content = fc.oneof({ weight: 3, arbitrary: sketch }, fc.constant('%%%not json'));
const shard = fc
  .array(content, { minLength: 1, maxLength: 8 })
  .map((contents) =>
    contents.map((one, at) =>
      recordOf(8 + at, typeof one === 'string' ? one : eventOf({ ...one, observed: at })),
    ),
  );
/** Stretches that overlap as a retry, a second delivery or a function from before a deploy makes them. */
const invocations = shard.chain((records) =>
  fc.record({
    records: fc.constant(records),
    starts: fc.array(fc.nat({ max: records.length - 1 }), { minLength: 1, maxLength: 2 }),
  }),
);

test('invocations that overlap leave the newest, and each answers only what is so', () =>
  fc.assert(
    fc.asyncProperty(fc.scheduler(), invocations, async (scheduler, { records, starts }) => {
      const table = memoryRecordTable();
      const quarantine = memoryQuarantine();
      const slowly = async <T>(work: () => Promise<T>): Promise<T> => {
        await scheduler.schedule(Promise.resolve(), 'there');
        const outcome = await work();
        await scheduler.schedule(Promise.resolve(), 'back');
        return outcome;
      };
      const invoke = async (batch: readonly StoredRecord[]): Promise<void> => {
        const world = consumeWorld({
          table: { upsert: (event) => slowly(() => table.upsert(event)) },
          quarantine: { put: (refused) => slowly(() => quarantine.put(refused)) },
        });
        const { ends } = await world.consumeAs('stream', batch);
        expect(ends).not.toContain('returned');
        for (const record of batch) {
          const kept = quarantine.kept().map(({ place }) => place);
          const place = `${record.shardId}-${record.sequenceNumber}`;
          expect(kept.includes(place) || stands(record, table.standing)).toBe(true);
        }
      };
      const all = [0, ...starts].map((start) => invoke(records.slice(start)));
      await scheduler.waitFor(Promise.all(all));
      expect(table.standing).toEqual(foldByExhaustion(records));
      expect(quarantine.kept()).toHaveLength(records.filter(isPoison).length);
    }),
    { numRuns: 200 },
  ));

test('what is delivered a second time changes nothing, and is answered as finished', () =>
  fc.assert(
    fc.asyncProperty(shard, fc.nat({ max: 7 }), async (records, start) => {
      const world = consumeWorld();
      await world.consume(records);
      const [rows, kept] = [new Map(world.table.standing), world.quarantine.kept()];
      const { ends } = await world.consumeAs('stream', records.slice(start));
      expect(world.table.standing).toEqual(rows);
      expect(world.quarantine.kept()).toEqual(kept);
      expect(ends.filter((end) => !['stale', 'folded', 'refused'].includes(end))).toEqual([]);
    }),
  ));

/** Records at one place in a batch, all refused or none, so that a breaker opens sooner or later. */
const batches = fc.array(fc.array(fc.boolean(), { minLength: 1, maxLength: 6 }), {
  minLength: 2,
  maxLength: 6,
});

test('an invocation that begins while the breaker is open sets nothing aside, and loses nothing', () =>
  fc.assert(
    fc.asyncProperty(fc.scheduler(), batches, async (scheduler, shapes) => {
      const marks = memoryBreakerStore();
      const OF = { pipeline: 'orders', consumer: 'orders' };
      const slowMarks = {
        ...marks,
        read: async (of: typeof OF) => {
          await scheduler.schedule(Promise.resolve(), 'read');
          return marks.read(of);
        },
      };
      let sequence = 0;
      const invoke = async (shape: readonly boolean[]): Promise<void> => {
        await scheduler.schedule(Promise.resolve(), 'begin');
        const wasOpen = (await marks.read(OF)).open !== undefined;
        const breaker = { percent: 50, recordsMin: 2 };
        const world = consumeWorld({ marks: slowMarks }, { breaker });
        const batch = shape.map((isGood) => {
          const at = ++sequence;
          return recordOf(at, isGood ? eventOf({ key: `k${at}`, version: at }) : 'poison');
        });
        const { ends } = await world.consumeAs('stream', batch);
        const refused = batch.filter(isPoison);
        const returned = ends.filter((end) => end === 'returned').length;
        if (wasOpen) expect(returned).toBe(refused.length);
        expect(world.quarantine.kept()).toHaveLength(refused.length - returned);
        expect(world.table.standing.size).toBe(batch.length - refused.length);
      };
      await scheduler.waitFor(Promise.all(shapes.map(invoke)));
    }),
    { numRuns: 200 },
  ));

function isPoison({ data }: StoredRecord): boolean {
  return !Buffer.from(data).toString().startsWith('{');
}

function eventsOf(records: readonly StoredRecord[]): readonly StreamEvent[] {
  const texts = records.filter((one) => !isPoison(one)).map(({ data }) => Buffer.from(data));
  return texts.map((text) => JSON.parse(text.toString()) as StreamEvent);
}

const rank = ({ version, observed }: StreamEvent): string => version + observed;

/** The answer by exhaustion: of each key, the event that no other outranks. */
function foldByExhaustion(records: readonly StoredRecord[]): Map<string, StreamEvent> {
  const events = eventsOf(records);
  const outranks = (a: StreamEvent, b: StreamEvent) => a.subject === b.subject && rank(a) > rank(b);
  const newest = events.filter((event) => !events.some((other) => outranks(other, event)));
  return new Map(newest.map((event) => [event.subject, event]));
}

function stands(record: StoredRecord, standing: ReadonlyMap<string, StreamEvent>): boolean {
  const [event] = eventsOf([record]);
  const found = event && standing.get(event.subject);
  return event !== undefined && found !== undefined && rank(found) >= rank(event);
}
