/** Reads the `Link` header of an answer. */

const LINK = /[\s,]*<([^>]*)>/y;
const PARAM = /\s*;\s*(?:([^\s=;,"<>]+)\s*(?:=\s*(?:"((?:[^"\\]|\\[\s\S])*)"|([^\s;,"]*)))?)?/y;
const END_OF_LINK = /\s*(?:,|$)/y;
const END = /[\s,]*$/y;

export type NextLink =
  | { readonly kind: 'link'; readonly reference: string }
  | { readonly kind: 'none' }
  | { readonly kind: 'malformed' };

/**
 * Find the first link whose `rel` names `next`, among any others.
 *
 * @source RFC 8288, section 3: a comma within `<>` or quotes separates nothing, names are compared without
 * case, `rel` holds relations between spaces, and a second `rel` of one link counts for nothing.
 * @example nextLink('</a?page=2>; rel="next"'); // { kind: 'link', reference: '/a?page=2' }
 */
export function nextLink(header: string): NextLink {
  let at = 0;
  const take = (pattern: RegExp): RegExpExecArray | undefined => {
    pattern.lastIndex = at;
    const found = pattern.exec(header);
    if (found !== null) at = pattern.lastIndex;
    return found ?? undefined;
  };
  while (take(END) === undefined) {
    const reference = take(LINK)?.[1];
    if (reference === undefined) return { kind: 'malformed' };
    let rel: string | undefined;
    for (let param = take(PARAM); param !== undefined; param = take(PARAM)) {
      const [, name, quoted, bare] = param;
      if (name?.toLowerCase() === 'rel') rel ??= quoted?.replaceAll(/\\([\s\S])/g, '$1') ?? bare;
    }
    if (take(END_OF_LINK) === undefined) return { kind: 'malformed' };
    const relations = rel?.toLowerCase().split(/\s+/) ?? [];
    if (relations.includes('next')) return { kind: 'link', reference: reference.trim() };
  }
  return { kind: 'none' };
}
