import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { StreamEvent } from '#core/record/stream-event';
import type { Clock } from '#ports/clock';
import type { Passage, Sink } from '#ports/sink';
import { eventOf, FOREVER_MS, transient } from '#test/pipeline/consume-world';

/** How whatever stands behind a sink behaves: asked for every event, before its effect. */
export type Neighbour = (event: StreamEvent) => Promise<'well' | 'refused'>;

export interface OpenSink {
  readonly sink: Sink;
  /** `n` of the version of a key that stands behind the sink; undefined while none does. */
  stands(key: string): Promise<unknown>;
}

export type SinkOpener = (neighbour: Neighbour, clock: Clock) => Promise<OpenSink>;

/** What every Sink promises: run on tables and on handlers of both kinds. */
export function sinkContract(name: string, open: SinkOpener): void {
  const well: Neighbour = async () => 'well';
  const runOf = (key: string, versions: readonly number[]) =>
    versions.map((n) => eventOf({ key, version: n, data: { order_id: key, n } }));
  /** 9, gone, 2, 3: as they were seen. */
  const parted = () => [
    eventOf({ key: 'k', version: 9, observed: 1, data: { order_id: 'k', n: 9 } }),
    eventOf({ key: 'k', version: '', observed: 2 }),
    eventOf({ key: 'k', version: 2, observed: 3, data: { order_id: 'k', n: 2 } }),
    eventOf({ key: 'k', version: 3, observed: 4, data: { order_id: 'k', n: 3 } }),
  ];
  const run = (...versions: readonly number[]) => runOf('k', versions);

  async function world(neighbour: Neighbour = well) {
    let nowMs = 0;
    const clock = { nowMs: () => nowMs, sleep: async () => {} };
    const { sink, stands } = await open(neighbour, clock);
    const settled: [place: number, end: string][] = [];
    const take = (
      events: readonly StreamEvent[],
      { passage = 'stream' as Passage, startUntilMs = FOREVER_MS } = {},
    ) =>
      sink.take(
        events.map((event, place) => ({ place, event })),
        {
          passage,
          startUntilMs,
          finish: (place, as) => void settled.push([place, as]),
          async refuse(place) {
            settled.push([place, 'refused']);
            return true;
          },
        },
      );
    const places = () => settled.map(([place]) => place).sort((a, b) => a - b);
    return { take, stands, settled, places, pass: (ms: number) => (nowMs += ms) };
  }

  describe(`Sink: ${name}`, () => {
    test('every event of a run is settled once, and the newest of a rising run stands', async () => {
      const rising = fc.uniqueArray(fc.integer({ min: 1, max: 99 }), {
        minLength: 1,
        maxLength: 6,
      });
      const { take, places, stands, settled } = await world();
      let keys = 0;
      await fc.assert(
        fc.asyncProperty(rising, async (versions) => {
          const key = `k${keys++}`;
          const events = runOf(
            key,
            versions.toSorted((a, b) => a - b),
          );
          settled.length = 0;
          await take(events);
          expect(places()).toEqual([...events.keys()]);
          expect(await stands(key)).toBe(Math.max(...versions));
        }),
        { numRuns: 12 },
      );
    });

    test('a run that comes again is settled again, and what stands stays', async () => {
      const { take, settled, stands } = await world();
      const events = run(1, 2, 3);
      await take(events);
      await take(events);
      expect(settled).toHaveLength(6);
      expect(await stands('k')).toBe(3);
    });

    test('a failure is retryable; what it struck, and what came later, is unsettled', async () => {
      const events = run(1, 2, 3);
      for (const failing of events) {
        const { take, places } = await world(async (event) => {
          if (event.id === failing.id) throw transient();
          return 'well';
        });
        const failure = await take(events).catch((error: unknown) => error);
        // Prefixes alone: none is settled behind one that is not.
        expect(places()).toEqual([...places().keys()]);
        if (failure === undefined) expect(places()).toHaveLength(3);
        else expect(failure).toMatchObject({ retryable: true });
      }
    });

    test('a failing newest is never settled', async () => {
      const events = run(1, 2, 3);
      const { take, places } = await world(async ({ id }) => {
        if (id === events[2]!.id) throw transient();
        return 'well';
      });
      await expect(take(events)).rejects.toMatchObject({ retryable: true });
      expect(places()).not.toContain(2);
    });

    test.each([0, 1, 2])('a refusal of place %i costs no other', async (at) => {
      const events = run(1, 2, 3);
      const { take, places, stands, settled } = await world(async ({ id }) =>
        id === events[at]!.id ? 'refused' : 'well',
      );
      await take(events);
      expect(places()).toEqual([0, 1, 2]);
      const others = settled.filter(([place]) => place !== at);
      expect(others.map(([, end]) => end)).not.toContain('refused');
      expect(await stands('k')).toBe(at === 2 ? 2 : 3);
    });

    test('what follows a delete without a version stands, though its version is lower', async () => {
      const { take, stands, places } = await world();
      const events = parted();
      await take(events.slice(0, 1));
      await take(events.slice(1));
      expect(await stands('k')).toBe(3);
      expect(places()).toEqual([0, 0, 1, 2]);
    });

    test('a refused delete without a version costs no other', async () => {
      const events = parted();
      const { take, places, stands } = await world(async ({ id }) =>
        id === events[1]!.id ? 'refused' : 'well',
      );
      await take(events);
      expect(places()).toEqual([0, 1, 2, 3]);
      // The newest for a table, the last for a handler.
      expect([9, 3]).toContain(await stands('k'));
    });

    test('when its time is up it begins nothing more, but the first', async () => {
      const events = run(1, 2, 3);
      const begun: string[] = [];
      const late = await world(async ({ id }) => {
        begun.push(id);
        late.pass(20);
        return 'well';
      });
      late.pass(5);
      await late.take(events, { startUntilMs: 10 });
      expect(late.places()).toEqual([...late.places().keys()]);
      expect(late.places().length).toBeGreaterThan(0);
      expect(new Set(begun).size).toBe(begun.length);
    });

    test.each(['replay', 'redrive'] as const)(
      'a %s is taken like anything else',
      async (passage) => {
        const { take, places, stands } = await world();
        const events = run(4, 7);
        await take(events, { passage });
        expect(places()).toEqual([0, 1]);
        expect(await stands('k')).toBe(7);
      },
    );
  });
}
