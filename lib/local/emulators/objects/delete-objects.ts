/** DeleteObject and DeleteObjects. */
import type { WireRequest, WireResponse } from '#local/contracts';
import type { Address } from './address.ts';
import { documentOf, element, textsOf } from './documents.ts';
import type { Buckets } from './object-store.ts';
import { fail, notImplemented, xml } from './responses.ts';

/** @source Amazon S3 API 2006-03-01, DeleteObjects. */
const KEYS_MAX = 1_000;

export function deleteObject(
  { query, headers }: WireRequest,
  { bucket, key }: Address,
  buckets: Buckets,
): WireResponse {
  const unknown = [...query.keys()].find((name) => name !== 'x-id');
  if (unknown !== undefined) return notImplemented(`parameter ${unknown} of a delete`);
  if (headers['if-match'] !== undefined) return notImplemented('If-Match of a delete');
  buckets.delete(bucket, key);
  return { status: 204 };
}

export function deleteObjects(
  { body }: WireRequest,
  bucket: string,
  buckets: Buckets,
): WireResponse {
  const text = Buffer.from(body).toString();
  const objects = [...text.matchAll(/<Object>(.*?)<\/Object>/gs)].map(([, inside = '']) => inside);
  const keys = objects.map((inside) => textsOf('Key', inside)[0]);
  const isWhole = /<Delete[ >]/.test(text) && /<\/Delete>\s*$/.test(text);
  if (!isWhole || keys.length === 0 || keys.length > KEYS_MAX || keys.includes(undefined)) {
    const message =
      'The XML you provided was not well-formed or did not validate against our published schema';
    return fail(400, 'MalformedXML', message);
  }
  if (/<(VersionId|ETag|LastModifiedTime|Size)>/.test(text)) {
    return notImplemented('delete of a version, or under a condition');
  }
  for (const key of keys) buckets.delete(bucket, key ?? '');
  const isQuiet = textsOf('Quiet', text)[0] === 'true';
  const deleted = keys.map((key) => `<Deleted>${element('Key', key ?? '')}</Deleted>`);
  return xml(200, documentOf('DeleteResult', isQuiet ? [] : deleted));
}
