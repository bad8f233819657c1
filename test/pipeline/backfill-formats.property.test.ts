/** However a source writes its times and however history is cut: all of the range is asked for. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { systemZone } from '#adapters/system/zone';
import { timestampMs, timestampOfMs } from '#core/record/timestamp';
import type { TimeFormat } from '#core/record/timestamp';
import { tickFrom } from '#core/source/bound';
import { planSlices } from '#core/source/plan-slices';
import { incremental, options, published, testClock, testWorld } from './poll-world.ts';
import { timeServer } from './time-server.ts';
import { WAYS, zonedWay, zoneOf } from './time-ways.ts';
import type { TimeWay } from './time-ways.ts';
import { wholeBackfill } from './whole-backfill.ts';

const HOUR_MS = 3_600_000;
const YEAR_MS = Date.parse('2031-01-01T00:00:00Z');
/** Midnight UTC is no beginning of a day in any zone that is asked in here but UTC. */
const STEP_MS = 1_800_000;

interface Format {
  readonly name: TimeFormat;
  readonly way: TimeWay;
}

const told = fc.record({
  /** From a whole half hour on, or from within a second. */
  fromMs: fc.tuple(fc.integer({ min: -60, max: 60 }), fc.constantFrom(0, 0, 1, 999, 60_500)),
  lengthMs: fc.tuple(fc.integer({ min: 1, max: 190 }), fc.constantFrom(0, 0, 1, 999, 60_500)),
  sliceMs: fc.constantFrom(7 * HOUR_MS, 24 * HOUR_MS, 25 * HOUR_MS, 1_000 * HOUR_MS),
  windowMs: fc.option(fc.constantFrom(30 * HOUR_MS, 72 * HOUR_MS), { nil: undefined }),
  inclusive: fc.boolean(),
  untilInclusive: fc.boolean(),
  coarse: fc.boolean(),
  /** How long ago the range was over. */
  agoMs: fc.constantFrom(0, 50 * HOUR_MS),
});

type Told = typeof told extends fc.Arbitrary<infer T> ? T : never;

async function asksForAll(
  { field, param, nearMs }: { field: Format; param: Format; nearMs: number },
  { windowMs, inclusive, sliceMs, agoMs, ...asked }: Told,
) {
  const msOf = ([steps, more]: readonly [number, number]) => steps * STEP_MS + more;
  const fromMs = nearMs + msOf(asked.fromMs);
  const toMs = fromMs + msOf(asked.lengthMs);
  const bounded = {
    ...incremental,
    paramFormat: param.name,
    fieldFormat: field.name,
    inclusive,
    ordered: false,
    until: { param: 'updated_before', windowMs },
  };
  const clock = testClock(timestampMs(tickFrom(timestampOfMs(toMs), bounded)) + agoMs);
  const ways = { field: field.way, param: param.way };
  const rules = { ...asked, ...ways, inclusive, windowMs, ordered: false, naive: false };
  const server = timeServer({ ...rules, skewMs: 0, horizonMs: 0 }, clock, []);
  const within: string[] = [];
  const put = (ms: number) => {
    const exact = BigInt(ms) * 1_000_000n;
    const nanos = exact - (exact % field.way.tickNanos);
    const order_id = `order-${ms}`;
    server.rows.set(order_id, { order_id, nanos, visibleMs: 0, change: 1 });
    const rowMs = Number(nanos / 1_000_000n);
    if (rowMs >= fromMs && rowMs < toMs) within.push(order_id);
  };
  for (let ms = fromMs; ms < toMs; ms += 4 * HOUR_MS) put(ms);
  for (const ms of [fromMs - 1, fromMs + 1_000, toMs - 1_000, toMs - 1, toMs]) put(ms);

  const world = testWorld([], { clock, source: server.source });
  const poll = {
    ...options,
    source: { ...options.source, incremental: bounded },
    rules: {
      ...options.rules,
      version: { path: ['version'], format: 'integer' as const },
      eventTime: { path: ['updated_at'], format: field.name },
    },
  };
  const slices = planSlices({ fromMs, toMs, sliceMs });
  const end = await wholeBackfill(world, { poll, incremental: bounded, slices });
  expect(end).toEqual({ kind: 'done' });
  const got = new Set(published(world).map(({ subject }) => subject));
  expect(within.filter((key) => !got.has(key))).toEqual([]);
}

const NAMES = ['iso', 'epoch-us', 'epoch-ms', 'epoch-s'] as const;
const PARAMS = [...NAMES, 'iso-s'] as const;
const plain = (name: keyof typeof WAYS): Format => ({ name, way: WAYS[name] });

test.each(NAMES.flatMap((field) => PARAMS.map((param) => ({ field, param }))))(
  'no row of the range is left out: rows in $field, asked in $param',
  async ({ field, param }) => {
    const formats = { field: plain(field), param: plain(param), nearMs: YEAR_MS };
    await fc.assert(
      fc.asyncProperty(told, (rules) => asksForAll(formats, rules)),
      { numRuns: 10 },
    );
  },
);

test.each(['UTC', 'Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe'])(
  'nor where it is asked by what the clocks of %s show, by the second or by the day',
  async (zoneName) => {
    const zone = systemZone(zoneName);
    const nearMs = fc.constantFrom(YEAR_MS, ...zoneOf(zoneName).changes(YEAR_MS));
    const zoned = fc
      .tuple(
        fc.constantFrom('local' as const, 'date' as const),
        fc.constantFrom('earlier' as const, 'later' as const),
      )
      .map(([kind, reading]) => ({
        name: { kind, zone },
        way: zonedWay(kind, zoneName, reading),
        [fc.toStringMethod]: () => `${kind} ${reading}`,
      }));
    const exact = fc.constantFrom(...NAMES).map((name) => plain(name));
    const formats = fc.oneof(
      fc.record({ field: exact, param: zoned, nearMs }),
      fc.record({ field: zoned, param: zoned, nearMs }),
    );
    await fc.assert(
      fc.asyncProperty(formats, told, (ways, rules) => asksForAll(ways, rules)),
      { numRuns: 60 },
    );
  },
);
