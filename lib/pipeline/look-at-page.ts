/** What an answer holds, and where its run goes on: judged before anything of it is published. */
import type { JsonValue } from '#core/record/json';
import { followToken } from '#core/source/cursor';
import type { Cursor } from '#core/source/cursor';
import { nextPage, tokenAfter } from '#core/source/next-page';
import type { Overlap } from '#core/source/overlap';
import { pageRecords } from '#core/source/page-records';
import type { TokenWatch } from '#core/source/token-watch';
import { utf8Bytes } from '#core/utf8';
import type { PageAnswer } from '#ports/page-source';
import { pageOverlap } from './page-overlap.ts';
import { failed } from './poll-end.ts';
import type { PollOptions, PollOutcome, PollWorld } from './poll-options.ts';
import { refuseStruck } from './refuse-struck.ts';

/**
 * A state item keeps a token of its run twice, beside what was seen.
 *
 * @source DynamoDB: an item holds 400 KB. `SIGHTS_MAX` leaves 76 KB of them.
 */
const TOKEN_BYTES_MAX = 30_000;

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
  const next = refuseStruck(nextPage(source, page), answer.head);
  if (next.kind === 'unreadable') return fault(next.detail);
  // Before the last page of any other paging, rows are left that the token would pass over.
  const synced =
    feed && (isFeed || next.kind === 'end')
      ? refuseStruck(tokenAfter(feed, page, source.fixed), answer.head)
      : undefined;
  if (synced?.kind === 'unreadable') return fault(synced.detail);
  const token = synced?.kind === 'token' ? { token: synced.token } : {};
  for (const one of [token.token, next.kind === 'next' ? next.token : undefined]) {
    const bytes = one === undefined ? 0 : utf8Bytes(one);
    if (bytes > TOKEN_BYTES_MAX) return failed(tooLong(bytes));
  }
  if (next.kind === 'end') return { kind: 'readable', records, next: undefined, overlap, ...token };

  const watch = followToken(before, next.token);
  if (watch === undefined || tokens.has(next.token)) {
    return failed('the source answered a page token it had answered before: it would never end');
  }
  return { kind: 'readable', records, next: { token: next.token, watch }, overlap, ...token };
}

function tooLong(bytes: number): string {
  return `the source answered a token of ${bytes} bytes, and no more than ${TOKEN_BYTES_MAX} can be kept: ask for smaller pages, or page another way`;
}

interface LookContext {
  readonly options: PollOptions;
  readonly tokens: ReadonlySet<string>;
  readonly digest: PollWorld['digest'];
}
