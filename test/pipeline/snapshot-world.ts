/** A source that is read as a whole: rows that change, vanish and come back before every answer. */
import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { memoryRecordTable } from '#adapters/memory/record-table';
import type { StreamEvent } from '#core/record/stream-event';
import type { Pagination } from '#core/source/pagination';
import type { PollOptions, PollWorld } from '#pipeline/poll-options';
import type { PageAnswer, PageSource } from '#ports/page-source';
import { options } from './poll-world.ts';
import type { TestClock } from './poll-world.ts';

export const PAGE_ROWS = 3;

/** Few keys and fewer contents: a row comes back as it was, again and again. */
export const change = fc.record({
  key: fc.nat(8),
  content: fc.oneof(fc.constant(undefined), fc.constantFrom('a', 'b')),
});

export type Change = typeof change extends fc.Arbitrary<infer T> ? T : never;

export const WAYS = {
  none: { kind: 'none' },
  keyset: { kind: 'keyset', param: 'after', field: ['order_id'] },
  offset: { kind: 'offset', param: 'skip', first: 0, overlap: 1 },
  page: { kind: 'page', param: 'page', first: 1 },
} as const satisfies Record<string, Pagination>;

export function snapshotOptions(
  way: keyof typeof WAYS,
  snapshot: Partial<NonNullable<PollOptions['snapshot']>> = {},
): PollOptions {
  return {
    ...options,
    source: {
      fixed: {},
      pagination: WAYS[way],
      pageSize: way === 'none' ? undefined : { param: 'limit', value: PAGE_ROWS },
      incremental: undefined,
    },
    rules: {
      ...options.rules,
      version: 'observed',
      eventTime: 'observed',
      partitionBy: [['lane']],
    },
    snapshot: { conditional: way === 'none', shareMax: 1, ...snapshot },
  };
}

export interface SnapshotServer {
  readonly source: PageSource;
  /** What it holds now: content by key. */
  readonly rows: ReadonlyMap<string, string>;
  /** Answers so far. */
  readonly answers: () => number;
  readonly unchanged: () => number;
  /** How many answers had been given when the key was last absent; undefined where it never was. */
  readonly absentAt: (key: string) => number | undefined;
}

/** @param steps changes before each answer. */
export function snapshotServer(clock: TestClock, steps: Change[][]): SnapshotServer {
  const rows = new Map<string, string>();
  const absent = new Map<string, number>();
  let answers = 0;
  let unchanged = 0;

  function note() {
    for (let at = 0; at <= 8; at++) if (!rows.has(`k${at}`)) absent.set(`k${at}`, answers);
  }

  function take(query: Readonly<Record<string, string>>) {
    const all = [...rows].map(([order_id, content]) => ({
      order_id,
      content,
      lane: `lane of ${order_id}`,
    }));
    const limit = Number(query['limit'] ?? all.length);
    if (query['skip'] !== undefined) return all.slice(Number(query['skip'])).slice(0, limit);
    if (query['page'] !== undefined)
      return all.slice((Number(query['page']) - 1) * limit).slice(0, limit);
    const sorted = all.toSorted((a, b) => (a.order_id < b.order_id ? -1 : 1));
    return sorted.filter(({ order_id }) => order_id > (query['after'] ?? '')).slice(0, limit);
  }

  const source: PageSource = {
    async fetchPage({ query, unless }): Promise<PageAnswer> {
      note();
      for (const { key, content } of steps.shift() ?? []) {
        // A row keeps its place while it lives.
        if (content === undefined) rows.delete(`k${key}`);
        else rows.set(`k${key}`, content);
        note();
      }
      answers++;
      note();
      const items = take(query);
      // It stands for the content, so that one that comes back has its tag again.
      const hash = createHash('sha256').update(JSON.stringify(items.toSorted())).digest('hex');
      const etag = `W/"${hash.slice(0, 8)}"`;
      if (unless?.etag === etag) {
        unchanged++;
        return { kind: 'unchanged' };
      }
      const header = (name: string) => (name === 'etag' ? etag : undefined);
      const place = () => ({ kind: 'unreadable' as const, detail: 'no links here' });
      return { kind: 'page', body: { items }, head: { header, place }, startedAtMs: clock.nowMs() };
    },
  };
  return {
    source,
    rows,
    answers: () => answers,
    unchanged: () => unchanged,
    absentAt: (key) => absent.get(key),
  };
}

/** Ports whose process dies. */
const PORTS = ['source', 'states', 'writer', 'ledgers', 'deletes'] as const;

/** The process dies at its so-manieth call of a port, before or after it has had its effect: then nothing answers. */
export function mortal(world: PollWorld, diesAt: number, isLate: boolean): PollWorld {
  let calls = 0;
  const live = async (call: () => unknown): Promise<unknown> => {
    calls++;
    if (calls > diesAt || (calls === diesAt && !isLate)) throw new Error('dead');
    const answer = await call();
    if (calls >= diesAt) throw new Error('dead');
    return answer;
  };
  const guarded = (port: unknown): unknown =>
    typeof port !== 'object' || port === null
      ? port
      : new Proxy(port, {
          get(target, name) {
            const member: unknown = Reflect.get(target, name);
            if (typeof member !== 'function') return guarded(member);
            return (...args: unknown[]) => live(() => Reflect.apply(member, target, args));
          },
        });
  const ports = PORTS.map((name) => [name, guarded(world[name])] as const);
  return { ...world, ...(Object.fromEntries(ports) as Partial<PollWorld>) };
}

/** What a table holds once it has taken every event, some of them twice: content by key. */
export async function tableOf(
  events: readonly StreamEvent[],
): Promise<ReadonlyMap<string, string>> {
  const table = memoryRecordTable();
  for (const event of events) await table.upsert(event);
  for (const event of events) await table.upsert(event);
  const live = [...table.standing.keys()].flatMap((key) => table.get(key) ?? []);
  return new Map(live.map(({ subject, data }) => [subject, String(data['content'])]));
}
