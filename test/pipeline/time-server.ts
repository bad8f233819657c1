/** A source that filters by time as its format says, whose rows change before every answer. */
import fc from 'fast-check';
import type { PollWorld } from '#pipeline/poll-options';
import type { PageSource } from '#ports/page-source';
import type { TestClock } from './poll-world.ts';
import type { TimeWay } from './time-ways.ts';

const PAGE_ROWS = 3;
const MS_NANOS = 1_000_000n;

export interface TimeServer {
  readonly field: TimeWay;
  readonly param: TimeWay;
  readonly inclusive: boolean;
  readonly untilInclusive: boolean;
  readonly ordered: boolean;
  /** Compares no more finely than it is asked, whatever it shows. */
  readonly coarse: boolean;
  /** Compares what it shows, not what it knows. */
  readonly naive: boolean;
  /** Of its clock, beyond ours. */
  readonly skewMs: number;
  readonly horizonMs: number;
  /** Refuses to be asked for longer. */
  readonly windowMs: number | undefined;
}

export const change = fc.record({
  kind: fc.constantFrom('update', 'update', 'update', 'late', 'future'),
  key: fc.nat(6),
  /** Most changes share a second with the one before. */
  afterMs: fc.constantFrom(0, 0, 0, 1, 400, 1_000, 15_000, 900_000, 3_600_000),
  /** Of the horizon: rows become visible no later than it says. */
  late: fc.double({ min: 0, max: 0.99, noNaN: true }),
  nanos: fc.constantFrom(0, 1, 999_999, 500_000),
});

export type Change = typeof change extends fc.Arbitrary<infer T> ? T : never;

interface Row {
  readonly order_id: string;
  readonly nanos: bigint;
  readonly visibleMs: number;
  readonly change: number;
}

export function timeServer(told: TimeServer, clock: TestClock, changes: Change[]) {
  const { field, param } = told;
  const rows = new Map<string, Row>();
  let count = 0;
  const nowMs = () => clock.nowMs() + told.skewMs;
  const floor = (nanos: bigint) => nanos - (nanos % field.tickNanos);
  /** Nothing it shows lies before this: what was cut off counts as late. */
  const ceiling = (nanos: bigint) =>
    floor(nanos) === nanos ? nanos : floor(nanos) + field.tickNanos;

  function applyNext() {
    const next = changes.shift();
    if (!next) return;
    clock.advance(next.afterMs);
    count++;
    const at = nowMs();
    const put = (order_id: string, nanos: bigint, visibleMs: number) =>
      rows.set(order_id, { order_id, nanos, visibleMs, change: count });
    const now = BigInt(at) * MS_NANOS;
    const lateMs = Math.floor(told.horizonMs * next.late);
    // Only a key that is new may come late or from the future: no version goes back.
    if (next.kind === 'late') {
      put(`late-${count}`, ceiling(now - BigInt(lateMs) * MS_NANOS), at);
    } else if (next.kind === 'future') put(`future-${count}`, floor(now + 90_000_000_000n), at);
    else put(`key-${next.key}`, floor(now + BigInt(next.nanos)), at);
  }

  const order = (a: Row, b: Row) => {
    const byTime = told.ordered ? Number(a.nanos - b.nanos) : 0;
    return byTime || a.order_id.localeCompare(b.order_id);
  };

  function isShown({ nanos }: Row, since: string | undefined, before: string | undefined) {
    const known = told.naive ? field.shown(nanos) : nanos;
    const order = (text: string) => param.compare(known, text, told.coarse);
    const isSince = since === undefined || order(since) >= (told.inclusive ? 0 : 1);
    return isSince && (before === undefined || order(before) <= (told.untilInclusive ? 0 : -1));
  }

  const source: PageSource = {
    async fetchPage({ query }) {
      applyNext();
      const startedAtMs = nowMs();
      const { updated_since: since, updated_before: before } = query;
      if (told.windowMs !== undefined && (since === undefined || before === undefined)) {
        return { kind: 'refused', detail: 'asked without an end' };
      }
      const after = query['cursor'] ? placeOf(query['cursor']) : undefined;
      const found = [...rows.values()]
        .filter((row) => row.visibleMs <= startedAtMs && isShown(row, since, before))
        .toSorted(order)
        .filter((row) => after === undefined || order(row, after) > 0);
      const shown = found.slice(0, PAGE_ROWS);
      const last = shown.at(-1);
      const next = last && found.length > PAGE_ROWS ? `${last.nanos} ${last.order_id}` : null;
      const items = shown.map(({ order_id, nanos, change: version }) => ({
        order_id,
        updated_at: field.render(nanos),
        version,
      }));
      return { kind: 'page', body: { items, next }, startedAtMs };
    },
  };
  return { source, rows, pending: () => changes.length, nowMs };
}

function placeOf(token: string): Row {
  const [nanos = '', order_id = ''] = token.split(' ');
  return { order_id, nanos: BigInt(nanos), visibleMs: 0, change: 0 };
}

/** Every port call counts as one await; from the fatal one on, nothing answers: the process is dead. */
export function mortal<World extends Pick<PollWorld, 'source' | 'states' | 'writer'>>(
  world: World,
  diesAt: number,
): World {
  let calls = 0;
  const live = async <T>(call: () => Promise<T>): Promise<T> => {
    if (++calls > diesAt) throw new Error('dead');
    // Of every second one, the call was made, and the process died before it heard the answer.
    if (calls === diesAt && diesAt % 2 === 0) await call();
    if (calls === diesAt) throw new Error('dead');
    return call();
  };
  const { source, states, writer } = world;
  return {
    ...world,
    source: { fetchPage: (request) => live(() => source.fetchPage(request)) },
    writer: { ...writer, put: (records) => live(() => writer.put(records)) },
    states: {
      acquire: (ask) => live(() => states.acquire(ask)),
      save: (...args) => live(() => states.save(...args)),
      release: (...args) => live(() => states.release(...args)),
    },
  };
}
