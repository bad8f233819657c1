/** Follows redirects as far as they stay with the origin that may see the credentials. */

export class RedirectRefused extends Error {
  override readonly name = 'RedirectRefused';
}

const REDIRECTS_MAX = 5;

/**
 * Fetch a URL, following redirects within `origin` only.
 *
 * A redirect to another origin is refused and not followed without credentials: what answers there
 * is not the source that was configured.
 *
 * @throws {RedirectRefused} @throws {TypeError} when the connection breaks.
 */
export async function fetchWithin(
  origin: string,
  start: URL,
  init: { readonly signal: AbortSignal; readonly headers: Readonly<Record<string, string>> },
): Promise<Response> {
  let url = start;
  for (let hop = 0; hop <= REDIRECTS_MAX; hop++) {
    const response = await fetch(url, { ...init, redirect: 'manual' });
    const location = response.headers.get('location');
    if (response.status < 300 || response.status >= 400 || location === null) return response;
    await response.body?.cancel();
    if (!URL.canParse(location, url.href))
      throw new RedirectRefused('the source redirects to no URL');
    url = new URL(location, url);
    if (url.origin !== origin) {
      throw new RedirectRefused(
        `the source redirects to another origin (${url.origin}): set source.url to it if it is right`,
      );
    }
  }
  throw new RedirectRefused(`the source redirects more than ${REDIRECTS_MAX} times`);
}
