/** Lists what rests in a quarantine bucket. */
import type { SignedFetch } from '#adapters/aws/signed-fetch';
import { CliError } from './cli-error.ts';

const TIMEOUT_MS = 10_000;

/**
 * Read the keys of a bucket: `<stage>/<reason>/<year>/<month>/<day>/<place>.json`.
 *
 * @param keysMax no more pages are read once there are as many: all unless given.
 */
export async function listQuarantine(
  send: SignedFetch,
  bucket: string,
  keysMax = Infinity,
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
    if (!answer.ok) throw new CliError(refusal(bucket, answer.status, body));
    keys.push(...elements(body, 'Key').map((key) => decodeURIComponent(key.replaceAll('+', ' '))));
    [token] = elements(body, 'NextContinuationToken');
  } while (token !== undefined && keys.length < keysMax);
  return keys;
}

function refusal(bucket: string, status: number, body: string): string {
  if (status === 404) return `The bucket ${bucket} is missing: is it deployed in this stage?`;
  const [code = `status ${status}`] = elements(body, 'Code');
  return code === 'AccessDenied'
    ? `These credentials may not list the bucket ${bucket}: allow s3:ListBucket on it.`
    : `The bucket ${bucket} cannot be listed (${code}).`;
}

function elements(xml: string, name: string): string[] {
  const found = xml.matchAll(new RegExp(`<${name}>([^<]*)</${name}>`, 'g'));
  return [...found].map(([, text = '']) => text.replaceAll('&amp;', '&'));
}

/** The reason within a quarantine key. */
export function reasonOf(key: string): string {
  return key.split('/')[1] ?? 'unknown';
}
