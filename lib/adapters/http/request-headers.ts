/** The headers of a request for a page. */
import type { Credentials } from '#adapters/http/auth/authorize';
import type { PageRequest } from '#ports/page-source';
import type { BodyForm } from './parse-body.ts';

const ACCEPT: Readonly<Record<BodyForm, string>> = {
  json: 'application/json',
  lines: 'application/x-ndjson, */*;q=0.5',
};

export interface HeadersAsk {
  readonly form: BodyForm;
  /** What the pipeline file adds; credentials outrank it. */
  readonly own: Readonly<Record<string, string>>;
  readonly credentials: Credentials;
  readonly body: string | undefined;
  readonly unless: PageRequest['unless'];
}

export function requestHeaders({
  form,
  own,
  credentials,
  body,
  unless,
}: HeadersAsk): Readonly<Record<string, string>> {
  const headers = new Headers({ accept: ACCEPT[form], 'user-agent': 'penstock' });
  if (body !== undefined) headers.set('content-type', 'application/json');
  for (const [name, value] of Object.entries({ ...own, ...credentials.headers })) {
    headers.set(name, value);
  }
  return { ...Object.fromEntries(headers), ...conditionsOf(unless) };
}

/** @source RFC 9110, 13.1.2 and 13.1.3: a server that knows entity tags leaves out the date. */
function conditionsOf(unless: PageRequest['unless']): Readonly<Record<string, string>> {
  if (unless === undefined) return {};
  const { etag, lastModified } = unless;
  return {
    ...(etag === undefined ? {} : { 'if-none-match': etag }),
    ...(lastModified === undefined ? {} : { 'if-modified-since': lastModified }),
    // Fetch would add `no-cache`, to which many servers answer everything.
    'cache-control': 'max-age=0',
  };
}
