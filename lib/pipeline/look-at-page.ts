/** What an answer holds, and where its run goes on: judged before anything of it is published. */
import type { JsonValue } from '#core/record/json';
import { followToken } from '#core/source/cursor';
import type { Cursor } from '#core/source/cursor';
import { nextPage, tokenAfter } from '#core/source/next-page';
import type { Overlap } from '#core/source/overlap';
import { pageRecords } from '#core/source/page-records';
import type { TokenWatch } from '#core/source/token-watch';
import type { PageAnswer } from '#ports/page-source';
import { pageOverlap } from './page-overlap.ts';
import { failed } from './poll-end.ts';
import type { PollOptions, PollOutcome, PollWorld } from './poll-options.ts';

export type Look =
  | {
      readonly kind: 'readable';
      readonly records: readonly JsonValue[];
      /** Undefined on the last page. */
      readonly next: { readonly token: string; readonly watch: TokenWatch } | undefined;
      readonly overlap: Overlap | undefined;
      /** What a source that is read by tokens is to be shown from now on, where it says so. */
      readonly token?: string;
    }
  | Extract<PollOutcome, { kind: 'failed' }>;

const IS_PART =
  "the source answered a part of its records (status 206), and source.pagination 'none' asks for no other";

/** Judge an answer before anything of it is published. */
export function lookAtPage(
  answer: Extract<PageAnswer, { kind: 'page' }>,
  before: Cursor,
  { options, tokens, digest }: LookContext,
): Look {
  const { source } = options;
  const fault = (detail: string) => failed(answer.head?.hide?.(detail) ?? detail);
  const found = pageRecords(answer.body, options.records);
  if (found.kind === 'unreadable') return fault(found.detail);
  const { records } = found;
  if (answer.isPart && options.source.pagination.kind === 'none') return failed(IS_PART);
  const startedAtMs = before.run?.startedAtMs ?? answer.startedAtMs;
  const overlap = pageOverlap(records, { before: before.run, source, startedAtMs, digest });
  const { feed, pagination } = source;
  const isFeed = pagination.kind === 'feed';
  const page = {
    body: answer.body,
    head: answer.head,
    records,
    token: before.run?.token ?? (isFeed ? before.token : undefined),
    shownAgain: overlap?.tail.length ?? 0,
  };
  const next = nextPage(source, page);
  if (next.kind === 'unreadable') return fault(next.detail);
  // Before the last page of any other paging, rows are left that the token would pass over.
  const synced =
    feed && (isFeed || next.kind === 'end') ? tokenAfter(feed, page, source.fixed) : undefined;
  if (synced?.kind === 'unreadable') return fault(synced.detail);
  const token = synced?.kind === 'token' ? { token: synced.token } : {};
  if (next.kind === 'end') return { kind: 'readable', records, next: undefined, overlap, ...token };

  const watch = followToken(before, next.token);
  if (watch === undefined || tokens.has(next.token)) {
    return failed('the source answered a page token it had answered before: it would never end');
  }
  return { kind: 'readable', records, next: { token: next.token, watch }, overlap, ...token };
}

interface LookContext {
  readonly options: PollOptions;
  readonly tokens: ReadonlySet<string>;
  readonly digest: PollWorld['digest'];
}
