/** Follows a source's pages as a poll does, and keeps what it saw. Nothing is written. */
import { assert } from '#core/assert';
import { contentDigest } from '#adapters/system/content-digest';
import type { JsonValue } from '#core/record/json';
import { rawText } from '#core/record/raw-text';
import { nextPage, tokenAfter } from '#core/source/next-page';
import type { NextPage, PageHead } from '#core/source/next-page';
import { pageRequest } from '#core/source/page-query';
import type { Pagination } from '#core/source/pagination';
import { pageRecords } from '#core/source/page-records';
import type { PollOptions } from '#pipeline/poll-options';
import { refuseStruck } from '#pipeline/refuse-struck';
import type { PageAnswer, RequestGate } from '#ports/page-source';
import { askPatiently } from './ask-patiently.ts';
import type { Patience } from './ask-patiently.ts';

export interface PageSeen {
  /** Undefined of the first page. */
  readonly token: string | undefined;
  readonly body: JsonValue;
  /** Less what an earlier page of the walk had shown, where a page shows some again. */
  readonly records: readonly JsonValue[];
  /** With them. */
  readonly shown: number;
  readonly next: NextPage;
  readonly head: PageHead | undefined;
  /** The source says that there is more than this: status 206. */
  readonly isPart: boolean;
  /** The source's clock when it was asked. */
  readonly startedAtMs: number;
}

export type WalkEnd =
  /** `token`: what the next run is to be asked with, of a source that is asked so. */
  | { readonly kind: 'last-page'; readonly token: ReturnType<typeof tokenAfter> | undefined }
  /** There is more, and nobody asked for it. */
  | { readonly kind: 'enough' }
  /** The token of the last page was followed before. */
  | { readonly kind: 'token-repeats' }
  /** What came next were the records of an earlier page once more; it is left out. */
  | { readonly kind: 'page-repeats' }
  /** An answer that holds no array of records. */
  | { readonly kind: 'no-records'; readonly body: JsonValue; readonly detail: string }
  | { readonly kind: 'no-token'; readonly detail: string }
  | { readonly kind: 'no-page'; readonly answer: Exclude<PageAnswer, { kind: 'page' }> };

export interface Walk {
  readonly pages: readonly PageSeen[];
  readonly end: WalkEnd;
}

export interface WalkWays extends Patience {
  isEnough(pages: readonly PageSeen[]): boolean;
  /** The token of the first page to ask for; that of the run unless given. */
  readonly from?: string | undefined;
  /** By which requests leave; at once unless given. */
  readonly gate?: RequestGate | undefined;
}

/**
 * Ask for the pages of one run until it ends, or there is enough of it.
 *
 * @param query what sets the run apart: its boundary, if it has one.
 */
export async function walkPages(
  { source, records: path, sourceTimeoutMs }: PollOptions,
  query: Readonly<Record<string, string>>,
  { isEnough, from, gate, ...patience }: WalkWays,
): Promise<Walk> {
  const pages: PageSeen[] = [];
  const followed = new Set<string>();
  const contents = new Set<string>();
  const isNews = newsOf(source.pagination);
  let token = from;
  for (;;) {
    const asked = { ...pageRequest(source, query, token), timeoutMs: sourceTimeoutMs };
    const request = gate ? { ...asked, gate } : asked;
    const answer = await askPatiently(request, patience);
    assert(answer.kind !== 'unchanged', 'nobody asks whether a page has changed');
    if (answer.kind !== 'page') return { pages, end: { kind: 'no-page', answer } };
    const { body, head, startedAtMs, isPart = false } = answer;
    const found = pageRecords(body, path);
    if (found.kind === 'unreadable') {
      return { pages, end: { kind: 'no-records', body, detail: found.detail } };
    }
    const { records } = found;
    const content = contentDigest(rawText(records));
    const isKnown = records.length > 0 && contents.has(content);
    if (isKnown) return { pages, end: { kind: 'page-repeats' } };
    contents.add(content);
    const page = { body, head, records, token };
    const next = refuseStruck(nextPage(source, page), head);
    const { length: shown } = records;
    const news = records.filter(isNews);
    pages.push({ token, body, records: news, shown, next, head, isPart, startedAtMs });
    if (next.kind === 'unreadable') {
      return { pages, end: { kind: 'no-token', detail: next.detail } };
    }
    if (next.kind === 'end') {
      const after = source.feed && refuseStruck(tokenAfter(source.feed, page, source.fixed), head);
      return { pages, end: { kind: 'last-page', token: after } };
    }
    if (followed.has(next.token)) return { pages, end: { kind: 'token-repeats' } };
    if (isEnough(pages)) return { pages, end: { kind: 'enough' } };
    followed.add(next.token);
    token = next.token;
  }
}

/** Some pages show again what the page before ended with: that is no other record. */
function newsOf(pagination: Pagination): (record: JsonValue) => boolean {
  if (pagination.kind !== 'keyset' || pagination.mayTie !== true) return () => true;
  const shown = new Set<string>();
  return (record) => {
    const content = contentDigest(rawText(record));
    const isNews = !shown.has(content);
    shown.add(content);
    return isNews;
  };
}
