/** However a source writes its times, and whatever spans it is asked for: nothing is lost. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { memoryPollStateStore } from '#adapters/memory/poll-state-store';
import { memoryStreamWriter } from '#adapters/memory/stream-writer';
import { systemZone } from '#adapters/system/zone';
import { timestampOfMs } from '#core/record/timestamp';
import type { TimeFormat } from '#core/record/timestamp';
import { poll } from '#pipeline/poll';
import { incremental, options, published, START_MS, testClock, testWorld } from './poll-world.ts';
import { steadyStates } from './steady-states.ts';
import { change, mortal, timeServer } from './time-server.ts';
import type { Change } from './time-server.ts';
import { WAYS, zonedWay, zoneOf } from './time-ways.ts';
import type { Reading, TimeWay } from './time-ways.ts';

const HOUR_MS = 3_600_000;

const told = fc.record({
  inclusive: fc.boolean(),
  untilInclusive: fc.boolean(),
  ordered: fc.boolean(),
  coarse: fc.boolean(),
  naive: fc.boolean(),
  skewMs: fc.constantFrom(-37_000, -3_000, 0, 3_000, 37_000),
  horizonMs: fc.constantFrom(0, 1, 999, 90_000),
  windowMs: fc.option(fc.constantFrom(95_000, 600_000, 2_000_500, 72 * HOUR_MS), {
    nil: undefined,
  }),
  startMs: fc.constant(START_MS),
  pollEveryMs: fc.constantFrom(70_000, 600_000, 2 * HOUR_MS),
});

interface Told extends FromArbitrary<typeof told> {
  readonly field: readonly [TimeFormat, TimeWay];
  readonly param: readonly [TimeFormat, TimeWay];
}

type FromArbitrary<T> = T extends fc.Arbitrary<infer Made> ? Made : never;

const life = {
  changes: fc.array(change, { minLength: 1, maxLength: 30 }),
  deaths: fc.array(fc.integer({ min: 1, max: 25 }), { maxLength: 6 }),
};

async function losesNothing(rules: Told, changes: readonly Change[], deaths: readonly number[]) {
  const { windowMs, inclusive, ordered, horizonMs, pollEveryMs, startMs } = rules;
  const [fieldFormat, field] = rules.field;
  const [paramFormat, param] = rules.param;
  const clock = testClock(startMs);
  const server = timeServer({ ...rules, field, param }, clock, [...changes]);
  const states = steadyStates(memoryPollStateStore(), () => server.nowMs() - horizonMs);
  const world = testWorld([], {
    clock,
    writer: memoryStreamWriter(),
    states,
    source: server.source,
  });
  const asked = {
    ...options,
    rules: {
      ...options.rules,
      version: { path: ['version'], format: 'integer' as const },
      eventTime: { path: ['updated_at'], format: fieldFormat },
    },
    source: {
      ...options.source,
      incremental: {
        ...incremental,
        paramFormat,
        fieldFormat,
        inclusive,
        ordered,
        horizonMs,
        start: timestampOfMs(startMs - 2 * HOUR_MS),
        until: { param: 'updated_before', windowMs },
      },
    },
  };
  const tick = async (diesAt: number) => {
    const outcome = await poll(asked, mortal(world, diesAt));
    if (diesAt === Infinity) expect(outcome.kind).toBe('caught-up');
    clock.advance(pollEveryMs);
  };
  for (const diesAt of deaths) await tick(diesAt);
  while (server.pending() > 0) await tick(Infinity);
  // What is dated in the future is read once its time has come.
  for (let run = 0; run < 4; run++) await tick(Infinity);

  const table = new Map<string, readonly [string, string, unknown]>();
  for (const { subject, version, observed, data } of published(world)) {
    const [known = '', seen = ''] = table.get(subject) ?? [];
    if (version > known || (version === known && observed > seen)) {
      table.set(subject, [version, observed, data['version']]);
    }
  }
  const got = [...table].map(([key, [, , state]]) => [key, state]);
  const wanted = [...server.rows.values()].map((row) => [row.order_id, row.change]);
  expect(got.toSorted()).toEqual(wanted.toSorted());
}

const NAMES = ['iso', 'epoch-us', 'epoch-ms', 'epoch-s'] as const;
const PARAMS = [...NAMES, 'iso-s'] as const;

test.each(NAMES.flatMap((field) => PARAMS.map((param) => ({ field, param }))))(
  'every key’s final state is published, whatever changes or dies: rows in $field, asked in $param',
  async ({ field, param }) => {
    const formats = { field: [field, WAYS[field]], param: [param, WAYS[param]] } as const;
    await fc.assert(
      fc.asyncProperty(told, life.changes, life.deaths, (rules, changes, deaths) =>
        losesNothing({ ...rules, ...formats }, changes, deaths),
      ),
      { numRuns: 4 },
    );
  },
);

type Format = Told['field'];

/** A counterexample says its name, and not all that it can do. */
function named(format: Format, name: string): Format {
  return Object.assign([...format] as const, { [fc.toStringMethod]: () => name });
}

const YEAR_MS = Date.parse('2031-01-01T00:00:00Z');
const READINGS: readonly Reading[] = ['earlier', 'later', 'naive'];

test.each(['Europe/Berlin', 'America/Santiago', 'Australia/Lord_Howe'])(
  'where the clocks of %s change, too, whatever the source makes of a time that is shown twice or skipped',
  async (name) => {
    const zone = systemZone(name);
    const changesMs = zoneOf(name).changes(YEAR_MS);
    expect(changesMs).toHaveLength(2);
    const zoned = fc
      .tuple(fc.constantFrom('local' as const, 'date' as const), fc.constantFrom(...READINGS))
      .map(([kind, reading]) =>
        named([{ kind, zone }, zonedWay(kind, name, reading)], `${kind} ${reading}`),
      );
    const plain = fc.constantFrom(...NAMES).map((kind) => named([kind, WAYS[kind]], kind));
    const formats = fc.oneof(
      fc.record({ field: zoned, param: plain }),
      fc.record({ field: plain, param: zoned }),
      fc.record({ field: zoned, param: zoned }),
    );
    const startMs = fc
      .tuple(fc.constantFrom(...changesMs), fc.integer({ min: -4, max: 30 }))
      .map(([ms, halfHours]) => ms - halfHours * 1_800_000);
    await fc.assert(
      fc.asyncProperty(
        fc.tuple(told, formats, startMs),
        life.changes,
        life.deaths,
        ([rules, ways, from], changes, deaths) =>
          losesNothing({ ...rules, ...ways, startMs: from }, changes, deaths),
      ),
      { numRuns: 20 },
    );
  },
);
