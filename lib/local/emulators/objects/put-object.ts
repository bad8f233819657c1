/** PutObject and CopyObject. */
import { createHash } from 'node:crypto';
import type { Clock, WireRequest, WireResponse } from '#local/contracts';
import { addressOf } from './address.ts';
import type { Address } from './address.ts';
import { decodeAwsChunked } from './aws-chunked.ts';
import type { Unframed } from './aws-chunked.ts';
import { verifyChecksums } from './checksums.ts';
import { decideWrite } from './conditions.ts';
import { documentOf, element } from './documents.ts';
import { expiresMs, ruleFor } from './lifecycle.ts';
import type { Buckets, StoredObject } from './object-store.ts';
import { fail, notImplemented, xml } from './responses.ts';

/** @source Amazon S3 User Guide, "Object keys" and "Object metadata" (2026-10). */
const KEY_BYTES_MAX = 1_024;
const METADATA_BYTES_MAX = 2_048;

/** They come back as they were put. */
const KEPT_HEADERS = [
  'cache-control',
  'content-disposition',
  'content-encoding',
  'content-language',
  'expires',
];

/** They would change what the object is, and are not done here. */
const REFUSED_HEADERS = [
  'x-amz-tagging',
  'x-amz-website-redirect-location',
  'x-amz-object-lock-mode',
  'x-amz-object-lock-retain-until-date',
  'x-amz-object-lock-legal-hold',
  'x-amz-server-side-encryption-customer-algorithm',
  'x-amz-write-offset-bytes',
];

export interface ObjectsState {
  readonly buckets: Buckets;
  readonly clock: Clock;
}

export function putObject(
  request: WireRequest,
  { bucket, key }: Address,
  { buckets, clock }: ObjectsState,
): WireResponse {
  const { headers } = request;
  const refused = refusedPut(request, buckets.read(bucket, key), key);
  if (refused !== undefined) return refused;
  const sent = bodyIn(request);
  if (sent === undefined) {
    const message =
      'You did not provide the number of bytes specified by the Content-Length HTTP header.';
    return fail(400, 'IncompleteBody', message);
  }
  const { body } = sent;
  const checked = checkedBody({ ...headers, ...sent.trailers }, body);
  if (!('sums' in checked)) return checked;
  const etag = etagOf(body);
  const modifiedMs = clock.nowMs();
  const contentType = headers['content-type'] ?? 'application/octet-stream';
  const kept = { ...keptHeaders(headers), ...checked.sums };
  buckets.write(bucket, key, { body, contentType, modifiedMs, headers: kept }, etag);
  const expires = expirationHeader(buckets, { bucket, key }, modifiedMs);
  return { status: 200, headers: { etag, ...checked.sums, ...expires } };
}

function refusedPut(
  { headers, query }: WireRequest,
  there: (StoredObject & { readonly etag: string }) | undefined,
  key: string,
): WireResponse | undefined {
  if (query.has('uploadId') || query.has('partNumber')) return notImplemented('multipart upload');
  const other = REFUSED_HEADERS.find((name) => headers[name] !== undefined);
  if (other !== undefined) return notImplemented(`header ${other}`);
  const storage = headers['x-amz-storage-class'] ?? 'STANDARD';
  if (storage !== 'STANDARD') return notImplemented(`storage class ${storage}`);
  if ((headers['if-none-match'] ?? '*') !== '*') {
    return notImplemented('If-None-Match of a put but *');
  }
  if (Buffer.byteLength(key) > KEY_BYTES_MAX) {
    return fail(400, 'KeyTooLongError', 'Your key is too long', {
      Size: String(Buffer.byteLength(key)),
      MaxSizeAllowed: String(KEY_BYTES_MAX),
    });
  }
  const metadata = Object.entries(headers).filter(([name]) => name.startsWith('x-amz-meta-'));
  const bytes = metadata.reduce(
    (sum, [name, value]) => sum + name.length - 'x-amz-meta-'.length + Buffer.byteLength(value),
    0,
  );
  if (bytes > METADATA_BYTES_MAX) {
    const message = 'Your metadata headers exceed the maximum allowed metadata size';
    return fail(400, 'MetadataTooLarge', message, {
      Size: String(bytes),
      MaxSizeAllowed: String(METADATA_BYTES_MAX),
    });
  }
  return refusedBy(decideWrite(headers, there), headers, key);
}

/** The answer where a condition does not hold. */
export function refusedBy(
  verdict: ReturnType<typeof decideWrite>,
  headers: WireRequest['headers'],
  key: string,
): WireResponse | undefined {
  if (verdict === 'no-such-key') {
    return fail(404, 'NoSuchKey', 'The specified key does not exist.', { Key: key });
  }
  if (verdict !== 'precondition-failed') return undefined;
  const Condition = ['If-Match', 'If-None-Match', 'If-Unmodified-Since'].find(
    (name) => headers[name.toLowerCase()] !== undefined,
  );
  return fail(
    412,
    'PreconditionFailed',
    'At least one of the pre-conditions you specified did not hold',
    Condition === undefined ? {} : { Condition },
  );
}

function bodyIn({ headers, body }: WireRequest): Unframed | undefined {
  const isChunked = (headers['x-amz-content-sha256'] ?? '').startsWith('STREAMING-');
  if (!isChunked) return { body, trailers: {} };
  const sent = decodeAwsChunked(body);
  const length = headers['x-amz-decoded-content-length'];
  const isWhole = length === undefined || Number(length) === sent?.body.byteLength;
  return isWhole ? sent : undefined;
}

function checkedBody(
  headers: Readonly<Record<string, string>>,
  body: Uint8Array,
): WireResponse | { readonly sums: Readonly<Record<string, string>> } {
  const md5 = headers['content-md5'];
  if (md5 !== undefined && Buffer.from(md5, 'base64').byteLength !== 16) {
    return fail(400, 'InvalidDigest', 'The Content-MD5 you specified was invalid.');
  }
  if (md5 !== undefined && md5 !== createHash('md5').update(body).digest('base64')) {
    return fail(400, 'BadDigest', 'The Content-MD5 you specified did not match what we received.');
  }
  const sha256 = headers['x-amz-content-sha256'] ?? '';
  if (/^[0-9a-f]{64}$/.test(sha256) && sha256 !== createHash('sha256').update(body).digest('hex')) {
    const message = "The provided 'x-amz-content-sha256' header does not match what was computed.";
    return fail(400, 'XAmzContentSHA256Mismatch', message);
  }
  const verdict = verifyChecksums(headers, body);
  if (verdict.kind === 'unknown') return notImplemented(`checksum ${verdict.name}`);
  if (verdict.kind === 'right') return { sums: verdict.headers };
  const algorithm = verdict.name.replace('x-amz-checksum-', '').toUpperCase();
  const message = `The ${algorithm} you specified did not match the calculated checksum.`;
  return fail(400, 'BadDigest', message);
}

function keptHeaders(headers: WireRequest['headers']): Record<string, string> {
  const kept = Object.entries(headers).filter(
    ([name]) => name.startsWith('x-amz-meta-') || KEPT_HEADERS.includes(name),
  );
  const { 'content-encoding': encoding, ...others } = Object.fromEntries(kept);
  // How it was sent is no part of what it is.
  const own = encoding
    ?.split(',')
    .map((one) => one.trim())
    .filter((one) => one !== 'aws-chunked');
  return own === undefined || own.length === 0
    ? others
    : { ...others, 'content-encoding': own.join(',') };
}

/** @source Amazon S3 API, x-amz-expiration. */
export function expirationHeader(
  buckets: Buckets,
  { bucket, key }: Address,
  modifiedMs: number,
): Record<string, string> {
  const rule = ruleFor(buckets.expiryOf(bucket), key);
  if (rule === undefined) return {};
  const date = new Date(expiresMs(modifiedMs, rule.days)).toUTCString();
  return { 'x-amz-expiration': `expiry-date="${date}", rule-id="${rule.id}"` };
}

export function copyObject(
  { headers }: WireRequest,
  { bucket, key }: Address,
  { buckets, clock }: ObjectsState,
): WireResponse {
  const source = addressOf({
    path: `/${(headers['x-amz-copy-source'] ?? '').replace(/^\//, '')}`.replace(/\?.*$/, ''),
    headers: {},
  });
  const there = buckets.read(source.bucket, source.key);
  if (!buckets.hasBucket(source.bucket)) {
    return fail(404, 'NoSuchBucket', 'The specified bucket does not exist', {
      BucketName: source.bucket,
    });
  }
  if (there === undefined) {
    return fail(404, 'NoSuchKey', 'The specified key does not exist.', { Key: source.key });
  }
  const conditional = Object.keys(headers).find((name) => name.startsWith('x-amz-copy-source-'));
  if (conditional !== undefined) return notImplemented(`header ${conditional}`);
  const isReplaced = headers['x-amz-metadata-directive'] === 'REPLACE';
  if (source.bucket === bucket && source.key === key && !isReplaced) {
    const message =
      "This copy request is illegal because it is trying to copy an object to itself without changing the object's metadata, storage class, website redirect location or encryption attributes.";
    return fail(400, 'InvalidRequest', message);
  }
  const refused = refusedBy(decideWrite(headers, buckets.read(bucket, key)), headers, key);
  if (refused !== undefined) return refused;
  const modifiedMs = clock.nowMs();
  const copy = isReplaced
    ? {
        contentType: headers['content-type'] ?? 'binary/octet-stream',
        headers: keptHeaders(headers),
      }
    : { contentType: there.contentType, headers: there.headers ?? {} };
  buckets.write(bucket, key, { body: there.body, modifiedMs, ...copy }, there.etag);
  const members = [
    element('LastModified', new Date(modifiedMs).toISOString()),
    element('ETag', there.etag),
  ];
  return xml(200, documentOf('CopyObjectResult', members));
}

export function etagOf(body: Uint8Array): string {
  return `"${createHash('md5').update(body).digest('hex')}"`;
}
