import type { PageRequest } from '#ports/page-source';
import { putParams } from './query-text.ts';

/**
 * The URL of a page: always of the origin of `base`, and with the parameters of `base` and of the
 * request, whatever place an answer named.
 */
export function pageUrl(base: URL, { place, query }: Pick<PageRequest, 'place' | 'query'>): URL {
  const url = new URL(base);
  putParams(url, query);
  if (place === undefined) return url;
  // What the place brings stays as it was written: a server may compare its own tokens by their bytes.
  const [path = '', ...search] = place.split('?');
  const own = [search.join('?'), url.search.slice(1)].filter((part) => part !== '');
  // Set apart, so that `//elsewhere.test/` is a path, and no host.
  url.pathname = path;
  url.search = own.join('&');
  return url;
}
