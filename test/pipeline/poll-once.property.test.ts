/** A source that can be asked less finely than its rows are dated. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseTimestamp, timestampOfMs } from '#core/record/timestamp';
import type { Timestamp } from '#core/record/timestamp';
import { poll } from '#pipeline/poll';
import type { PageSource } from '#ports/page-source';
import { incremental, options, published, START_MS, testClock, testWorld } from './poll-world.ts';

const PAGE_ROWS = 3;

interface SourceRow {
  readonly order_id: string;
  readonly updated_at: Timestamp;
}

/** How many digits of a second the source dates its rows with: whole seconds, ms, µs, ns. */
const digits = fc.constantFrom(0, 3, 6, 9);

/** Rows that appear before one poll, each dated so far before or after the poll's start. */
const appearing = fc.record({
  afterMs: fc.constantFrom(1, 300, 999, 1_000, 1_700, 20_000),
  rows: fc.array(
    fc.record({
      /** Of the horizon: rows become visible no later than it says. */
      late: fc.oneof(fc.constant(0), fc.double({ min: 0, max: 0.99, noNaN: true })),
      aheadMs: fc.constantFrom(0, 0, 0, 2_000),
      fraction: fc.stringMatching(/^\d{6}$/),
    }),
    { maxLength: 5 },
  ),
});

const source = fc.record({
  paramFormat: fc.constantFrom('iso' as const, 'epoch-ms' as const, 'epoch-s' as const),
  inclusive: fc.boolean(),
  ordered: fc.boolean(),
  horizonMs: fc.constantFrom(0, 1, 250, 999, 1_000, 1_001, 3_500, 90_000),
  /** Compares no more finely than it is asked, whatever it shows. */
  coarse: fc.boolean(),
});

type Told = typeof source extends fc.Arbitrary<infer T> ? T : never;

function sourceOf(rows: readonly SourceRow[], told: Told, nowMs: () => number): PageSource {
  const width = { iso: 29, 'epoch-ms': 23, 'epoch-s': 19 }[told.paramFormat];
  const compared = (time: Timestamp) => time.slice(0, told.coarse ? width : 29);
  const shows = (time: Timestamp, since: string | undefined) => {
    if (since === undefined) return true;
    const bound = compared(parseTimestamp(since, told.paramFormat)!);
    return told.inclusive ? compared(time) >= bound : compared(time) > bound;
  };
  const order = (a: SourceRow, b: SourceRow) =>
    told.ordered ? a.updated_at.localeCompare(b.updated_at) : a.order_id.localeCompare(b.order_id);
  return {
    async fetchPage({ query }) {
      const found = rows
        .filter(({ updated_at }) => shows(updated_at, query['updated_since']))
        .toSorted(order);
      const from = Number(query['cursor'] ?? '0');
      const next = from + PAGE_ROWS < found.length ? String(from + PAGE_ROWS) : null;
      const items = found.slice(from, from + PAGE_ROWS).map((row) => ({ ...row }));
      return { kind: 'page', body: { items, next }, startedAtMs: nowMs() };
    },
  };
}

test('every row is published once, however coarsely its source can be asked, and however it is dated', async () => {
  await fc.assert(
    fc.asyncProperty(
      source,
      digits,
      fc.array(appearing, { minLength: 1, maxLength: 6 }),
      async (told, precision, steps) => {
        const clock = testClock(START_MS + 400);
        const rows: SourceRow[] = [];
        const world = testWorld([], { clock, source: sourceOf(rows, told, clock.nowMs) });
        const asked = {
          ...options,
          source: { ...options.source, incremental: { ...incremental, ...told } },
        };
        const ids = () => published(world).map(({ subject }) => subject);
        const unit = precision === 0 ? 1_000 : 1;
        // At last nothing changes any more, and the horizon passes over what there is.
        const quiet = [0, told.horizonMs + 3_000, 1].map((afterMs) => ({ afterMs, rows: [] }));
        for (const step of [...steps, ...quiet]) {
          clock.advance(step.afterMs);
          for (const { late, aheadMs, fraction } of step.rows) {
            const earliest = clock.nowMs() - told.horizonMs * late + aheadMs;
            const time = timestampOfMs(Math.ceil(earliest / unit) * unit);
            const finer = fraction.slice(0, Math.max(0, precision - 3)).padEnd(6, '0');
            const updated_at = `${time.slice(0, 23)}${finer}Z` as Timestamp;
            rows.push({ order_id: `r${rows.length}`, updated_at });
          }
          await poll(asked, world);
          expect(ids().toSorted()).toEqual(rows.map((row) => row.order_id).toSorted());
        }
      },
    ),
    { numRuns: 200 },
  );
});
