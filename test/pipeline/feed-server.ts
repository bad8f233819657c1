/** A source that answers tokens, whose rows change, vanish and come back while it is read. */
import type { JsonObject } from '#core/record/json';
import type { Feed } from '#core/source/feed';
import type { Pagination } from '#core/source/pagination';
import type { PollOptions } from '#pipeline/poll-options';
import type { PageAnswer, PageSource } from '#ports/page-source';
import { options as base, START_MS } from './poll-world.ts';

/** `changes`: each answer's token leads on. `pages`: the last page of a run alone holds one. */
export type Shape = 'changes' | 'pages';

interface Row {
  readonly seq: number;
  readonly id: string;
  readonly rev: number;
  readonly isGone: boolean;
}

export interface FeedServer extends PageSource {
  readonly live: ReadonlyMap<string, JsonObject>;
  /** How many requests there had been when the key was last absent; undefined where it never was. */
  absentAt(id: string): number | undefined;
  /** How many there had been before the latest that began to read everything. */
  readonly fullFrom: number;
  change(id: string): void;
  remove(id: string): void;
  /** No token that was answered before is taken any more, and deletes may be forgotten. */
  expire(): void;
  /** What was asked, in order. */
  readonly asked: readonly Readonly<Record<string, string>>[];
}

export interface FeedServerOptions {
  readonly shape: Shape;
  /** Rows of one page, in turn; 0 is a page that holds none, though there are more. */
  readonly sizes: readonly number[];
  /** Keeps a change although another of its row came later, so that a row may begin anew at 1. */
  readonly isWhole: boolean;
  /** Tells no delete any more that is older than its tokens. */
  readonly forgets?: boolean;
  /** Whether an answer says how much is left. */
  readonly saysPending: boolean;
}

export const KEYS = ['a', 'b', 'c', 'd', 'e'] as const;

const FEED = {
  param: 'since',
  next: ['token'],
  first: undefined,
  expired: { status: [410] },
} satisfies Feed;

/** What a pipeline file says of such a source. */
export function feedOptions({ shape, saysPending }: FeedServerOptions): PollOptions {
  const pagination: Pagination =
    shape === 'pages'
      ? { kind: 'cursor', param: 'page', next: ['next'] }
      : {
          kind: 'feed',
          param: 'since',
          next: ['token'],
          ...(saysPending ? { pending: ['pending'] } : {}),
        };
  return {
    ...base,
    // Less than a page is given: a poll may have time for the one and not for the next.
    putTimeoutMs: 1_000,
    source: {
      fixed: {},
      pagination,
      pageSize: { param: 'limit', value: 3 },
      incremental: undefined,
      feed: { ...FEED, ...(shape === 'changes' ? { first: '0' } : {}) },
    },
    rules: {
      ...base.rules,
      key: [['id']],
      version: { path: ['rev'], format: 'revision' },
      eventTime: { path: ['at'], format: 'iso' },
      partitionBy: [['id']],
      deleted: ['gone'],
    },
  };
}

const shown = ({ id, rev, seq, isGone }: Row): JsonObject =>
  isGone ? { id, gone: true } : { id, rev: `${rev}-${seq}`, at: '2031-06-12T15:00:00Z' };

export function feedServer(told: FeedServerOptions): FeedServer {
  const { shape, sizes, isWhole, saysPending, forgets = false } = told;
  let log: Row[] = [];
  /** Tokens of an earlier one are too old. */
  let generation = 0;
  const asked: Readonly<Record<string, string>>[] = [];
  const latest = (id: string) => log.findLast((row) => row.id === id);
  let written = 0;
  const seq = () => written;
  /** Of keys that are forgotten: what comes after outranks them. */
  const revs = new Map<string, number>();
  const absent = new Map<string, number>();
  let fullFrom = 0;

  function noteAbsent() {
    for (const id of KEYS) if (latest(id)?.isGone !== false) absent.set(id, asked.length);
  }

  function write(id: string, rev: number, isGone: boolean): void {
    const row = { seq: ++written, id, rev, isGone };
    log = [...log.filter((other) => isWhole || other.id !== id), row];
    noteAbsent();
  }
  const page = (body: JsonObject): PageAnswer => ({ kind: 'page', body, startedAtMs: START_MS });
  const tokenOf = (at: number | string) => `${at}-${generation}-${asked.length}`;
  const seqOf = (token: string) => Number(token.split('-')[0]);

  function changes(since: string, size: number): PageAnswer {
    const after = log.filter((row) => row.seq > seqOf(since));
    const items = after.slice(0, saysPending ? size : Math.max(1, size));
    const left = after.length - items.length;
    const last = items.at(-1)?.seq ?? (left > 0 ? seqOf(since) : seq());
    // Where it stands, an empty page may say by nothing; with some left, by another name for the same place.
    const isSilent = items.length === 0 && left === 0 && size === 0;
    const token = isSilent ? null : tokenOf(last);
    return page({ items: items.map(shown), token, pending: left });
  }

  /** The rows are chosen at the first page; each is shown as it is by then. */
  function pages(query: Readonly<Record<string, string>>, size: number): PageAnswer {
    const { since } = query;
    const [from = '0', upTo = String(seq())] = (query['page'] ?? '').split('.').filter(Boolean);
    const after = since === undefined ? 0 : seqOf(since);
    const chosen = [
      ...new Set(log.filter((row) => row.seq > after).map(({ id }) => id)),
    ].toSorted();
    const ids = chosen.filter((id) => id >= from).slice(0, size + 1);
    const [items, next] = [ids.slice(0, size), ids[size]];
    const rows = items.flatMap((id) => latest(id) ?? []);
    // A full read does not tell what is gone.
    const told = rows.filter(({ isGone }) => since !== undefined || !isGone).map(shown);
    return next === undefined
      ? page({ items: told, next: null, token: tokenOf(upTo) })
      : page({ items: told, next: `${next}.${upTo}.${asked.length}` });
  }

  return {
    asked,
    get live() {
      const ids = [...new Set(log.map(({ id }) => id))];
      const rows = ids.flatMap((id) => latest(id) ?? []).filter(({ isGone }) => !isGone);
      return new Map(rows.map((row) => [row.id, shown(row)]));
    },
    change(id) {
      const before = latest(id);
      const rev = before?.isGone && isWhole ? 0 : (before?.rev ?? revs.get(id) ?? 0);
      write(id, rev + 1, false);
    },
    remove(id) {
      const before = latest(id);
      if (before !== undefined && !before.isGone) write(id, before.rev + 1, true);
    },
    expire() {
      generation++;
      // Pages tell no delete in a full read; it ends with a token that knows all since its begin.
      if (!forgets || shape === 'pages') return;
      for (const { id, rev } of log) revs.set(id, Math.max(rev, revs.get(id) ?? 0));
      log = log.filter(({ id }) => latest(id)?.isGone === false);
    },
    absentAt: (id) => absent.get(id),
    get fullFrom() {
      return fullFrom;
    },
    async fetchPage({ query }) {
      const { since } = query;
      const isFull = since === undefined || since === '0';
      noteAbsent();
      if (isFull && query['page'] === undefined) fullFrom = asked.length;
      asked.push(query);
      if (!isFull && Number(since.split('-')[1]) < generation) {
        return { kind: 'refused', detail: 'the source answered status 410', status: 410 };
      }
      const size = sizes[asked.length % sizes.length] ?? 1;
      return shape === 'changes' ? changes(since ?? '0', size) : pages(query, Math.max(1, size));
    },
  };
}
