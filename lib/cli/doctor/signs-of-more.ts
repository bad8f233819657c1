/** What an answer says of further pages, whatever the file reads of it. */
import type { PageSeen } from '#cli/source/walk-pages';
import { scalarText } from '#core/record/exact-json';
import type { JsonValue } from '#core/record/json';
import { isJsonObject } from '#core/record/path';
import type { Path } from '#core/record/path';
import { nextLink } from '#core/source/link-header';
import type { PollOptions } from '#pipeline/poll-options';

/** Names in lower case, without what joins their words. */
const NEXT = /^(@odata\.)?next(page|cursor|token|link|url|href|uri|offset|start|marker)*$/;
const MORE = /^(more|(has|is)more(items|records|results|pages)?|hasnext(page)?|istruncated)$/;
const LAST = /^(is)?(last|final)(page)?$/;

/** Envelopes within envelopes; further in stand a record's own members. */
const DEPTH_MAX = 4;

/**
 * Find the first thing that speaks of another page, as a clause: '`has_more` is true'. What the next
 * run is asked with is none, and the records say nothing of pages.
 */
export function signOfMore(
  { body, head, isPart }: PageSeen,
  { records, source: { feed } }: Pick<PollOptions, 'records' | 'source'>,
): string | undefined {
  if (isPart) return 'the source answered status 206, a part of what there is';
  const link = head?.header('Link');
  if (link !== undefined && nextLink(link).kind === 'link') {
    return 'the header `Link` names a next page';
  }
  const next = feed === undefined || 'header' in feed.next ? [] : [feed.next];
  return signWithin(body, [], new Set([records.path, ...next].map((path) => path.join('.'))));
}

function signWithin(
  value: JsonValue,
  path: Path,
  leftOut: ReadonlySet<string>,
): string | undefined {
  if (!isJsonObject(value) || path.length === DEPTH_MAX || leftOut.has(path.join('.'))) {
    return undefined;
  }
  for (const [name, member] of Object.entries(value)) {
    const place = [...path, name];
    if (leftOut.has(place.join('.'))) continue;
    const found = signAt(name, member, place) ?? signWithin(member, place, leftOut);
    if (found !== undefined) return found;
  }
  return undefined;
}

function signAt(name: string, value: JsonValue, place: Path): string | undefined {
  const plain = name.toLowerCase().replaceAll(/[-_]/g, '');
  const where = `\`${place.join('.')}\``;
  if (NEXT.test(plain) && leadsOn(value)) return `${where} names a next page`;
  const isFlag = (MORE.test(plain) && value === true) || (LAST.test(plain) && value === false);
  return isFlag ? `${where} is ${String(value)}` : undefined;
}

function leadsOn(value: JsonValue): boolean {
  if (isJsonObject(value)) return [value['href'], value['url']].some(isText);
  const text = scalarText(value);
  return text !== undefined && text !== '';
}

function isText(value: JsonValue | undefined): boolean {
  return typeof value === 'string' && value !== '';
}
