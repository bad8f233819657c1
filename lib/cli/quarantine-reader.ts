/** Lists what rests in a quarantine bucket. */
import type { SignedFetch } from '#adapters/aws/signed-fetch';
import { CliError } from './cli-error.ts';

const TIMEOUT_MS = 10_000;

/** Read all keys of a bucket: `<stage>/<reason>/<year>/<month>/<day>/<place>.json`. */
export async function listQuarantine(
  send: SignedFetch,
  bucket: string,
): Promise<readonly string[]> {
  const keys: string[] = [];
  let token: string | undefined;
  do {
    const query = new URLSearchParams({ 'list-type': '2', 'encoding-type': 'url' });
    if (token !== undefined) query.set('continuation-token', token);
    const answer = await send({
      method: 'GET',
      path: `/${bucket}?${query.toString()}`,
      timeoutMs: TIMEOUT_MS,
    });
    const body = await answer.text();
    if (!answer.ok) throw new CliError(`The bucket ${bucket} cannot be listed (${answer.status}).`);
    keys.push(...elements(body, 'Key').map((key) => decodeURIComponent(key.replaceAll('+', ' '))));
    [token] = elements(body, 'NextContinuationToken');
  } while (token !== undefined);
  return keys;
}

function elements(xml: string, name: string): string[] {
  const found = xml.matchAll(new RegExp(`<${name}>([^<]*)</${name}>`, 'g'));
  return [...found].map(([, text = '']) => text.replaceAll('&amp;', '&'));
}

/** The reason within a quarantine key. */
export function reasonOf(key: string): string {
  return key.split('/')[1] ?? 'unknown';
}
