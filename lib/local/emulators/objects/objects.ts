/** Amazon S3 as far as objects go: put, get, head, delete and list, over its wire protocol. */
import { createHash } from 'node:crypto';
import type { Clock, Storage, WireHandler, WireRequest, WireResponse } from '#local/contracts';
import { decodeAwsChunked } from './aws-chunked.ts';
import { openBuckets } from './object-store.ts';
import type { Buckets } from './object-store.ts';
import { element, errorDocument, listDocument } from './documents.ts';

/** @source Amazon S3 API 2006-03-01, ListObjectsV2, max-keys. */
const PAGE_KEYS_MAX = 1_000;

export interface Objects extends WireHandler {
  readonly buckets: Buckets;
}

/** Serve the buckets of `storage`, path-style and virtual-host style. */
export function createObjects({ storage, clock }: { storage: Storage; clock: Clock }): Objects {
  const buckets = openBuckets(storage, { clock, etagOf });
  return {
    buckets,
    handle: async (request) => respond(request, addressOf(request), { buckets, clock }),
  };
}

interface Address {
  readonly bucket: string;
  readonly key: string;
}

/** Read the bucket from the host's first labels, else from the path's first part. */
export function addressOf({ path, headers }: WireRequest): Address {
  const host = (headers['host'] ?? headers[':authority'] ?? '').replace(/:\d+$/, '');
  const inHost = /^(.+?)\.(?:s3[.-].*|s3\.amazonaws\.com|localhost)$/.exec(host)?.[1];
  const parts = path.slice(1).split('/');
  const bucket = inHost === 's3' ? undefined : inHost;
  if (bucket !== undefined) return { bucket, key: decodeURIComponent(parts.join('/')) };
  return { bucket: parts[0] ?? '', key: decodeURIComponent(parts.slice(1).join('/')) };
}

function respond(
  request: WireRequest,
  address: Address,
  { buckets, clock }: { buckets: Buckets; clock: Clock },
): WireResponse {
  const { bucket, key } = address;
  if (bucket === '') return fail(501, 'NotImplemented', 'The local cloud does not list buckets.');
  if (!buckets.hasBucket(bucket)) {
    const answer = fail(404, 'NoSuchBucket', 'The specified bucket does not exist', {
      BucketName: bucket,
    });
    return request.method === 'HEAD' ? { status: 404 } : answer;
  }
  if (key === '') return respondBucket(request, bucket, buckets);
  switch (request.method) {
    case 'PUT':
      return putObject(request, address, { buckets, clock });
    case 'GET':
      return getObject(buckets, address);
    case 'HEAD':
      return headOf(getObject(buckets, address));
    case 'DELETE':
      buckets.delete(bucket, key);
      return { status: 204 };
    default:
      return fail(501, 'NotImplemented', `The local cloud has no ${request.method} of an object.`);
  }
}

function respondBucket(request: WireRequest, bucket: string, buckets: Buckets): WireResponse {
  if (request.method === 'HEAD') return { status: 200 };
  if (request.method !== 'GET' || request.query.get('list-type') !== '2') {
    const asked = `${request.method} ?${request.query.toString()}`;
    return fail(501, 'NotImplemented', `The local cloud has no ${asked} of a bucket.`);
  }
  if ((request.query.get('delimiter') ?? '') !== '') {
    return fail(501, 'NotImplemented', 'The local cloud lists without a delimiter.');
  }
  const prefix = request.query.get('prefix') ?? '';
  const token = request.query.get('continuation-token');
  const after =
    token === null
      ? (request.query.get('start-after') ?? '')
      : Buffer.from(token, 'base64url').toString();
  const countMax = Math.min(Number(request.query.get('max-keys') ?? PAGE_KEYS_MAX), PAGE_KEYS_MAX);
  const found = buckets.page(bucket, { prefix, after, countMax: countMax + 1 });
  const listed = found.slice(0, countMax);
  const last = listed.at(-1);
  const more = found.length > listed.length && last !== undefined;
  const next = more ? Buffer.from(last.key).toString('base64url') : undefined;
  const encode = request.query.get('encoding-type') === 'url';
  return xml(200, listDocument({ bucket, prefix, countMax, listed, next, encode }));
}

function putObject(
  request: WireRequest,
  { bucket, key }: Address,
  { buckets, clock }: { buckets: Buckets; clock: Clock },
): WireResponse {
  if (request.headers['x-amz-copy-source'] !== undefined || request.query.has('uploadId')) {
    return fail(501, 'NotImplemented', 'The local cloud neither copies nor joins objects.');
  }
  if (request.headers['if-none-match'] === '*' && buckets.read(bucket, key) !== undefined) {
    const condition = { Condition: 'If-None-Match' };
    const message = 'At least one of the pre-conditions you specified did not hold';
    return fail(412, 'PreconditionFailed', message, condition);
  }
  const chunked = (request.headers['x-amz-content-sha256'] ?? '').startsWith('STREAMING-');
  const body = chunked ? decodeAwsChunked(request.body) : request.body;
  const contentType = request.headers['content-type'] ?? 'application/octet-stream';
  const etag = etagOf(body);
  buckets.write(bucket, key, { body, contentType, modifiedMs: clock.nowMs() }, etag);
  return { status: 200, headers: { etag } };
}

function getObject(buckets: Buckets, { bucket, key }: Address): WireResponse {
  const object = buckets.read(bucket, key);
  if (object === undefined) {
    return fail(404, 'NoSuchKey', 'The specified key does not exist.', { Key: key });
  }
  return {
    status: 200,
    headers: {
      'content-type': object.contentType,
      'content-length': String(object.body.byteLength),
      etag: object.etag,
      'last-modified': new Date(object.modifiedMs).toUTCString(),
    },
    body: object.body,
  };
}

/** The same answer without its body: an error's code is then only its status. */
function headOf({ status, headers }: WireResponse): WireResponse {
  return status === 200 ? { status, ...(headers === undefined ? {} : { headers }) } : { status };
}

function etagOf(body: Uint8Array): string {
  return `"${createHash('md5').update(body).digest('hex')}"`;
}

function fail(
  status: number,
  code: string,
  message: string,
  details: Readonly<Record<string, string>> = {},
): WireResponse {
  const members = Object.entries(details).map(([name, value]) => element(name, value));
  return xml(status, errorDocument({ code, message, members }));
}

function xml(status: number, body: string): WireResponse {
  return { status, headers: { 'content-type': 'application/xml' }, body };
}
