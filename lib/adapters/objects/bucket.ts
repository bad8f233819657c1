/** One bucket of S3, by signed requests: its client would weigh more than these four calls. */
import { AwsError } from '#adapters/aws/aws-error';
import type { SignedCall, SignedFetch } from '#adapters/aws/signed-fetch';

export interface ListedObject {
  readonly key: string;
  readonly bytes: number;
  readonly modifiedMs: number;
}

export interface Bucket {
  readonly name: string;
  /** Every object whose key begins so, by key, a page of a thousand at a time. */
  list(prefix?: string): AsyncIterable<ListedObject>;
  /** Undefined when there is no such object. */
  get(key: string): Promise<Uint8Array | undefined>;
  put(key: string, body: string | Uint8Array<ArrayBuffer>): Promise<void>;
  /** Leaves what is there already; false when it did. */
  putNew(key: string, body: string | Uint8Array<ArrayBuffer>): Promise<boolean>;
  /** One that is gone already is no failure. */
  delete(key: string): Promise<void>;
}

/** An object is at most a stream record and its reason: 10 MiB, on a slow day. */
const TIMEOUT_MS = 30_000;

/** Answers that another try may change. @source S3 API, error responses (2026-10). */
const RETRYABLE_STATUSES = new Set([408, 409, 429, 500, 502, 503, 504]);

/**
 * @param send signed requests to S3, by path: `/<bucket>/<key>`.
 * Every call throws an `AwsError` of one sentence, with `retryable`.
 */
export function objectBucket(
  send: SignedFetch,
  name: string,
  timeoutMs: number = TIMEOUT_MS,
): Bucket {
  async function ask(
    action: string,
    call: Omit<SignedCall, 'path' | 'timeoutMs'> & { readonly path: string },
    expected: readonly number[] = [],
  ): Promise<Response> {
    let response: Response;
    try {
      response = await send({ ...call, path: `/${name}${call.path}`, timeoutMs });
    } catch (cause) {
      throw new AwsError(`The bucket ${name} did not answer`, { retryable: true, cause });
    }
    if (response.ok || expected.includes(response.status)) return response;
    const { status } = response;
    const [code = `${status}, no code`] = elements(await response.text(), 'Code');
    const retryable = RETRYABLE_STATUSES.has(status);
    throw new AwsError(refusal(action, code), { retryable, cause: undefined });
  }

  function refusal(action: string, code: string): string {
    if (code === 'NoSuchBucket')
      return `The bucket ${name} is missing: is it deployed in this stage? (${code})`;
    return code === 'AccessDenied'
      ? `These credentials lack s3:${action} on the bucket ${name} (${code}): allow it in their policy.`
      : `The bucket ${name} refuses ${action} (${code}).`;
  }

  async function write(
    key: string,
    body: string | Uint8Array<ArrayBuffer>,
    condition: Readonly<Record<string, string>>,
  ): Promise<boolean> {
    const headers = { 'content-type': 'application/json', ...condition };
    const call = { method: 'PUT', path: pathOf(key), headers, body };
    const response = await ask('PutObject', call, [412]);
    await response.text();
    return response.ok;
  }

  return {
    name,
    async *list(prefix = '') {
      let token: string | undefined;
      do {
        const query = new URLSearchParams({ 'list-type': '2', 'encoding-type': 'url', prefix });
        if (token !== undefined) query.set('continuation-token', token);
        const call = { method: 'GET', path: `?${query.toString()}` };
        const page = await (await ask('ListBucket', call)).text();
        yield* elements(page, 'Contents').map(toListed);
        [token] = elements(page, 'NextContinuationToken');
      } while (token !== undefined);
    },
    async get(key) {
      const response = await ask('GetObject', { method: 'GET', path: pathOf(key) }, [404]);
      const body = new Uint8Array(await response.arrayBuffer());
      if (response.ok) return body;
      const [code = ''] = elements(Buffer.from(body).toString(), 'Code');
      if (code === 'NoSuchKey') return undefined;
      throw new AwsError(refusal('GetObject', code), { retryable: false, cause: undefined });
    },
    async put(key, body) {
      await write(key, body, {});
    },
    putNew: (key, body) => write(key, body, { 'if-none-match': '*' }),
    async delete(key) {
      await (await ask('DeleteObject', { method: 'DELETE', path: pathOf(key) }, [404])).text();
    },
  };
}

function pathOf(key: string): string {
  return `/${key.split('/').map(encodeURIComponent).join('/')}`;
}

function toListed(xml: string): ListedObject {
  const [key = ''] = elements(xml, 'Key');
  return {
    key: decodeURIComponent(key.replaceAll('+', ' ')),
    bytes: Number(elements(xml, 'Size')[0]),
    modifiedMs: Date.parse(elements(xml, 'LastModified')[0] ?? ''),
  };
}

function elements(xml: string, name: string): string[] {
  const found = xml.matchAll(new RegExp(`<${name}>([\\s\\S]*?)</${name}>`, 'g'));
  return [...found].map(([, text = '']) => text.replaceAll('&quot;', '"').replaceAll('&amp;', '&'));
}
