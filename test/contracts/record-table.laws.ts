/** The law of every table: whatever is delivered by whom and when, a key ends as the fold of its versions. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { JsonObject } from '#core/record/json';
import type { StreamEvent } from '#core/record/stream-event';
import { eventOf, turns } from '#test/pipeline/consume-world';
import type { OpenTable, TableAsk } from './record-table.contract.ts';

const NAMES = ['a', 'b', 'c', 'd', 'e'];

/** Each version has members of its own, few enough that shapes meet again, in one key and in others. */
const sketch = fc.record({
  version: fc.integer({ min: 8, max: 11 }),
  deleted: fc.integer({ min: 0, max: 3 }).map((n) => n === 0),
  names: fc.subarray(NAMES.slice(0, 4)),
});
const history = fc.array(sketch, { minLength: 1, maxLength: 6 });
/** Two keys with versions, whose deliveries are shared out among writers; some come again. */
const play = fc.record({
  histories: fc.tuple(history, history),
  deliveries: fc.array(
    fc.record({
      key: fc.nat(1),
      version: fc.nat(5),
      writer: fc.nat(1),
      waits: fc.nat(3),
    }),
    { maxLength: 16 },
  ),
  /** By key: whether somebody else writes `e`, and a name that no version of the key has. */
  others: fc.tuple(fc.boolean(), fc.boolean()),
});
type Play = typeof play extends fc.Arbitrary<infer T> ? T : never;

/** @param runs as many random plays: each is some twenty writes. */
export function recordTableLaws(
  name: string,
  open: (ask: TableAsk) => Promise<OpenTable>,
  runs = 25,
): void {
  test.each(['replace', 'merge'] as const)(
    `RecordTable: ${name}: in mode %s any deliveries by two writers end as the fold of all versions`,
    async (mode) => {
      let nowMs = 1_900_000_000_000;
      const table = await open({ mode, nowMs: () => nowMs++ });
      let run = 0;
      await fc.assert(
        fc.asyncProperty(play, async (played) => {
          await playOut(table, mode, played, `run${run++}`);
        }),
        { numRuns: runs },
      );
    },
    60_000,
  );
  clearedKeyLaws(name, open, runs);
}

/** What is seen of a key in turn; some of it is a delete without a version, some a version that went back. */
const life = fc.record({
  seen: fc.array(
    fc.record({
      kind: fc.constantFrom('upsert', 'upsert', 'delete', 'cleared'),
      version: fc.integer({ min: 8, max: 11 }),
      names: fc.subarray(NAMES.slice(0, 4)),
    }),
    { minLength: 1, maxLength: 8 },
  ),
  /** After each of `seen`, what comes again, by whom. */
  again: fc.array(fc.record({ after: fc.nat(7), which: fc.nat(7), writer: fc.nat(1) }), {
    maxLength: 12,
  }),
});

/**
 * The law of deletes without a version: what came in turn the first time ends alike, whatever comes
 * again and whenever.
 */
function clearedKeyLaws(
  name: string,
  open: (ask: TableAsk) => Promise<OpenTable>,
  runs = 25,
): void {
  test.each(['replace', 'merge'] as const)(
    `RecordTable: ${name}: in mode %s what was seen before a delete without a version never comes back, however often it comes`,
    async (mode) => {
      const { writer, read } = await open({ mode });
      let run = 0;
      await fc.assert(
        fc.asyncProperty(life, async ({ seen, again }) => {
          const writers = [writer(), writer()];
          const key = `life${run++}`;
          const events = seen.map(({ kind, version, names }, at) => {
            const members = Object.fromEntries(names.map((member) => [member, `${member}${at}`]));
            const data = { order_id: key, ...members };
            const cleared = { key, version: '', observed: at + 1 } as const;
            const named = { key, version, observed: at + 1, deleted: kind === 'delete', data };
            return eventOf(kind === 'cleared' ? cleared : named);
          });
          for (const [at, event] of events.entries()) {
            await writers[at % 2]!.upsert(event);
            const late = again.filter(({ after, which }) => after === at && which <= at);
            await Promise.all(
              late.map(({ which, writer: by }) => writers[by]!.upsert(events[which]!)),
            );
            const last = events.slice(0, at + 1).findLastIndex((one) => one.version === '');
            const left = events.slice(last + 1, at + 1);
            const newest = left.length === 0 ? undefined : newestByExhaustion(left);
            const isGone = newest === undefined || newest.type.endsWith('.delete');
            expect(await read(key)).toEqual(isGone ? undefined : newest.data);
          }
        }),
        { numRuns: runs },
      );
    },
    60_000,
  );
}

async function playOut(
  { writer, read, times, write }: OpenTable,
  mode: 'replace' | 'merge',
  { histories, deliveries, others }: Play,
  run: string,
): Promise<void> {
  const writers = [writer(), writer()];
  const keys = histories.map((versions, at) => {
    const key = `${run}-${at}`;
    const events = versions.map(({ version, deleted, names }, seen) => {
      const members = Object.fromEntries(names.map((name) => [name, `${name}${seen}`]));
      const data = { order_id: key, ...members };
      return eventOf({ key, version, observed: seen + 1, deleted, data });
    });
    const free = NAMES.filter((name) => !versions.some(({ names }) => names.includes(name)));
    const foreign: JsonObject =
      mode === 'merge' && others[at]
        ? Object.fromEntries(free.map((name) => [name, 'theirs']))
        : {};
    return { key, events, foreign };
  });

  const firstSeen: (string | undefined)[] = [];
  for (const { key, events } of keys) {
    await writers[0]!.upsert(events[0]!);
    firstSeen.push((await times(key)).firstSeen);
  }
  const again = deliveries.map(({ key, version, writer: by, waits }) => {
    const { events } = keys[key]!;
    return { event: events[version % events.length]!, by, waits };
  });
  const once = keys.flatMap(({ events }) =>
    events.map((event, at) => ({ event, by: at % 2, waits: at })),
  );
  await Promise.all([
    ...[...again, ...once].map(async ({ event, by, waits }) => {
      await turns(waits);
      await writers[by]!.upsert(event);
    }),
    ...keys
      .filter(({ foreign }) => Object.keys(foreign).length > 0)
      .map(({ key, foreign }) => write(key, foreign)),
  ]);

  for (const [at, { key, events, foreign }] of keys.entries()) {
    const newest = newestByExhaustion(events);
    const isGone = newest.type.endsWith('.delete');
    expect(await read(key)).toEqual(isGone ? undefined : { ...foreign, ...newest.data });
    expect((await times(key)).firstSeen).toBe(firstSeen[at]);
    if (!isGone) continue;
    // What was under the tombstone shows once the key comes back.
    await writers[1]!.upsert(eventOf({ key, version: 99, data: { order_id: key } }));
    expect(await read(key)).toEqual({ ...foreign, order_id: key });
  }
}

/** The event that no other outranks, looked for among all pairs. */
function newestByExhaustion(events: readonly StreamEvent[]): StreamEvent {
  const rank = ({ version, observed }: StreamEvent) => `${version}/${observed}`;
  const newest = events.find((one) => events.every((other) => rank(one) >= rank(other)));
  if (newest === undefined) throw new Error('one of some events is the newest');
  return newest;
}
