/** Draws a source and the pipeline file for it: never one that does what its kind does not promise. */
import type { Dice } from '#test/simulation/dice';
import { CALM } from './server/api.ts';
import type { ApiFaults, ApiRules } from './server/api.ts';
import { DELETE_KINDS, FEED_PATH } from './server/deletes.ts';
import type { DeleteKind } from './server/deletes.ts';
import { SEC, TIME_KINDS, ZONE } from './server/moments.ts';
import type { TimeKind } from './server/moments.ts';
import { OVER, PAGING_KINDS } from './server/paging.ts';
import type { PagingKind } from './server/paging.ts';
import type { RowOrder } from './server/row.ts';
import type { RowRules } from './server/rows.ts';
import { FEED_SHAPE, SHAPES } from './server/shapes.ts';

/** A feed of deletes is only added to, and stands in the order of its moments. */
const FEEDS = PAGING_KINDS.filter(
  ({ orders, momentsMayTie }) => orders.includes('oldest first') && momentsMayTie,
);

export const ORIGIN = 'https://api.test';

/** One of everything that is promised together. */
export interface Combination {
  readonly paging: PagingKind;
  readonly order: RowOrder;
  readonly deletes: DeleteKind;
}

/** Every one there is, each in its turn by the seed. */
export const COMBINATIONS: readonly Combination[] = PAGING_KINDS.flatMap((paging) =>
  DELETE_KINDS.flatMap((deletes) =>
    ordersOf(paging, deletes).map((order) => ({ paging, order, deletes })),
  ),
);

function ordersOf(
  { name, orders, rowsMayLeave, isFeed }: PagingKind,
  { feed, reads }: DeleteKind,
): readonly RowOrder[] {
  // A token of changes tells of deletes itself.
  if (isFeed) return feed === 'none' && reads === 'changes' ? orders : [];
  if (reads === 'the whole') return name === 'keyset, by time' ? [] : orders.slice(-1);
  // Rows go from the listing, and whoever counts them passes others over.
  if (feed !== 'none') return rowsMayLeave ? orders.slice(0, 1) : [];
  return name === 'none' ? orders.slice(0, 1) : orders;
}

export interface Scenario {
  readonly name: string;
  /** As a person writes it. */
  readonly file: unknown;
  readonly rows: RowRules;
  readonly api: ApiRules;
  readonly isFaultless: boolean;
  /** Each run reads all of it. */
  readonly isWhole: boolean;
}

export function randomScenario(seed: number, dice: Dice): Scenario {
  const combination = COMBINATIONS[seed % COMBINATIONS.length] as Combination;
  const round = Math.floor(seed / COMBINATIONS.length) + seed;
  const ofRows = TIME_KINDS.filter(({ of }) => of === 'both');
  const time = ofRows[round % ofRows.length] as TimeKind;
  const sinceTime = TIME_KINDS[round % TIME_KINDS.length] as TimeKind;
  const isInclusive = dice.once(2);
  const drawnSpan = untilOf(sinceTime, dice);
  // Out of a window a row leaves by every change: where places are counted, others move up.
  const span = combination.paging.rowsMayLeave || !hasWindows(drawnSpan) ? drawnSpan : {};
  const drawn = randomRows(combination, time, dice);
  // Windows end by our clock, and move on by what they show.
  const rows: RowRules = hasWindows(span)
    ? { ...drawn, skewMs: Math.min(0, drawn.skewMs), future: 'none' }
    : drawn;
  const shapes = SHAPES.filter(
    (shape) =>
      (shape.hasMembers || combination.paging.bodyIsFree) &&
      (!shape.isKeyed || (rows.shows === 'keys' && rows.ids === 'texts' && !rows.hasPoison)),
  );
  const shape = dice.pick(shapes);
  const isFaultless = dice.once(6);
  const api: ApiRules = {
    paging: combination.paging,
    order: combination.order,
    shape,
    since: { time: sinceTime, isInclusive, comparesTicks: dice.once(2) },
    time,
    skewMs: rows.skewMs,
    isDated: rows.skewMs !== 0 || dice.once(2),
    cap: 2 + dice.below(7),
    endsInclude: dice.once(2),
    over: dice.pick(OVER),
    tokenLifeMs: dice.pick([Infinity, Infinity, 300_000, 20_000]),
    // Where every run asks from a time, a row without one is never answered otherwise.
    alwaysShowsNulls: 'start' in span || dice.once(2),
    bearer: dice.once(3),
    tellsKinds: dice.once(2),
    validator: dice.pick(['none', 'etag', 'last-modified']),
    feed: combination.deletes.feed === 'none' ? undefined : dice.pick(FEEDS),
    faults: isFaultless ? CALM : randomFaults(dice),
  };
  const { paging, order, deletes } = combination;
  const name = `${paging.name}; ${order}; deletes: ${deletes.name}; ${rows.shows}; ${time.name}, since ${sinceTime.name}`;
  return {
    name,
    file: fileOf(combination, rows, { api, span }, dice),
    rows,
    api,
    isFaultless,
    isWhole: deletes.reads === 'the whole',
  };
}

function randomRows({ paging, order, deletes }: Combination, time: TimeKind, dice: Dice): RowRules {
  // Where what is read must not move, and stands in the order of its changes, it can only be added to.
  const onlyGrows = !paging.rowsMayLeave && order === 'oldest first';
  const isWhole = deletes.reads === 'the whole';
  const goesAlways = isWhole || deletes.going === 'told';
  const shows = !goesAlways && !paging.isFeed && (onlyGrows || dice.once(4)) ? 'changes' : 'keys';
  const tick = dice.pick([1n, 1_000n, SEC / 1_000n, SEC, 20n * SEC]);
  // What clocks show may come twice: it is no version.
  const isNumbered =
    shows === 'changes' ||
    goesAlways ||
    paging.isFeed === true ||
    time.name === 'local' ||
    dice.once(2);
  const hasNulls = paging.momentsMayTie && isNumbered && dice.once(3);
  return {
    shows,
    // Contents that come back do so within one tick, too.
    tick: !paging.momentsMayTie
      ? dice.pick([1n, 1_000n])
      : isNumbered
        ? tick
        : dice.pick([tick, 20n * SEC]),
    hasTies: paging.momentsMayTie,
    latenessMs: paging.isFeed ? 0 : dice.pick([0, 10_000, 50_000]),
    skewMs: dice.pick([0, -37_000, 3_600_000]),
    time,
    style: { digits: dice.pick([0, 0, 3, 6, 9]), offset: dice.pick([0, 0, 120, -210]) },
    ids: dice.pick(['texts', 'numbers']),
    isNumbered,
    // What comes before a row of the future comes where was read already, and what comes next does not.
    future:
      shows === 'changes' && paging.isCounted
        ? 'none'
        : dice.pick(isNumbered && shows === 'keys' ? ['none', 'changes'] : ['none', 'stays']),
    hasNulls,
    // Any key may be the one of a row that cannot be read: of a whole that has one, nothing is removed.
    hasPoison: paging.keysMayLack && deletes.name !== 'absence' && dice.once(3),
    // A poll that is shown rows without a moment, and no others, says that it failed.
    going:
      hasNulls ||
      shows === 'changes' ||
      (deletes.going === 'untold' && !paging.rowsMayLeave && !isWhole) ||
      dice.once(4)
        ? 'never'
        : deletes.going,
    feed: deletes.feed,
    deletion: deletes.members,
  };
}

function randomFaults(dice: Dice): ApiFaults {
  const often = () => dice.pick([0, 0, 8, 25, 80]);
  return {
    busy: often(),
    broken: often(),
    cut: often(),
    silent: dice.pick([0, 0, 40]),
    slow: often(),
    strange: dice.pick([0, 0, 60]),
    moved: often(),
    rotates: dice.pick([0, 30]),
    expires: dice.pick([0, 15]),
  };
}

/** At least as long as a row may be dated before it is seen. */
function horizonSec({ latenessMs, tick }: RowRules, dice: Dice): number {
  return latenessMs === 0 && tick < SEC ? dice.pick([0, 5, 90]) : dice.pick([75, 90, 400]);
}

/** An end to what is asked for: of each run, or of windows of some hours. */
function untilOf({ name }: TimeKind, dice: Dice): object {
  const start = '2030-03-16T00:00:00Z';
  const days = name === 'date' ? 3 : 0;
  const sec = dice.pick([3_600, 20_000]) + days * 86_400;
  return dice.pick([
    {},
    {},
    { start },
    { until: { param: 'before' } },
    { start, until: { param: 'before', sec } },
  ]);
}

function hasWindows(span: object): boolean {
  return 'until' in span && 'start' in span;
}

/** What a person writes who knows the source. */
function fileOf(
  { paging, order, deletes }: Combination,
  rows: RowRules,
  { api, span }: { readonly api: ApiRules; readonly span: object },
  dice: Dice,
): unknown {
  const { since, time, shape, bearer } = api;
  const isOrdered = order === 'oldest first';
  // Times that two changes of a key may share tell their order only as they are listed.
  const byTime =
    !paging.isFeed &&
    rows.feed !== 'with versions' &&
    time.name !== 'local' &&
    !rows.hasNulls &&
    rows.future !== 'changes' &&
    (isOrdered || rows.shows === 'keys');
  const version = byTime && (!rows.isNumbered || dice.once(2)) ? 'meta.changed' : 'rev';
  const incremental = {
    param: 'since',
    fieldFormat: time.name,
    format: since.time.name,
    horizonSec: horizonSec(rows, dice),
    inclusive: since.isInclusive,
  };
  const versionFormat = version === 'rev' ? 'integer' : time.name;
  return {
    name: 'parcels',
    source: {
      url: { env: 'PARCELS_API_URL' },
      ...(bearer ? { auth: { kind: 'bearer', secret: 'parcels-token' } } : {}),
      records: shape.records,
      errors: { path: 'error', waitIf: { path: 'error.code', is: ['SLOW_DOWN'] } },
      pagination: paging.pagination(rows.shows),
      incremental: paging.isFeed
        ? { ...(paging.byLink ?? tokenOf(dice)), ...expiryOf(api) }
        : deletes.reads === 'the whole'
          ? { kind: 'snapshot', ...dice.pick([{}, { conditional: isTellingOfAll(api) }]) }
          : { ...incremental, field: 'meta.changed', ordered: isOrdered, ...span },
      timeZone: ZONE,
      ...pageSizeOf(paging, dice),
      query: { team: 'a&b' },
      ...deletes.file,
      ...(api.feed === undefined
        ? {}
        : { deletes: feedOf(api.feed, deletes, { ...incremental, field: 'at' }, dice) }),
      timeoutSec: dice.pick([3, 8]),
    },
    schedule: { everyMinutes: 1 },
    poll: { timeoutSec: dice.pick([10, 25, 60]) },
    record: { key: 'id', version: { field: version, format: versionFormat }, eventTime: 'seen_at' },
    stream: { load: { onDemand: true } },
    consumers: [{ kind: 'table', name: 'parcels' }],
  };
}

function tokenOf(dice: Dice): object {
  return { kind: 'token', param: 'since', next: 'last', ...dice.pick([{}, { first: '0' }]) };
}

function expiryOf({ tellsKinds }: ApiRules): object {
  const onlyIf = { path: 'error.code', is: ['TOO_OLD', 'GONE'] };
  return tellsKinds ? { expired: { status: [400, 410], onlyIf } } : {};
}

/** Whether what tells that a first answer has not changed tells it of all. */
function isTellingOfAll({ paging, validator }: ApiRules): boolean {
  return paging.name === 'none' || validator === 'last-modified';
}

function feedOf(paging: PagingKind, { feed }: DeleteKind, incremental: object, dice: Dice): object {
  return {
    path: FEED_PATH,
    records: FEED_SHAPE.records,
    ...(feed === 'with versions' ? { version: { field: 'rev', format: 'integer' } } : {}),
    pagination: paging.pagination('changes'),
    incremental,
    ...pageSizeOf(paging, dice),
    query: { team: 'a&b' },
  };
}

function pageSizeOf({ name }: PagingKind, dice: Dice): object {
  return name === 'none' ? {} : { pageSize: { param: 'limit', value: 3 + dice.below(8) } };
}
