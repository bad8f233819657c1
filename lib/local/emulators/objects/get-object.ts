/** GetObject and HeadObject. */
import type { WireRequest, WireResponse } from '#local/contracts';
import type { Address } from './address.ts';
import { byteRange } from './byte-range.ts';
import { decideRead } from './conditions.ts';
import type { Buckets } from './object-store.ts';
import { expirationHeader, refusedBy } from './put-object.ts';
import { fail, notImplemented } from './responses.ts';

/** @source Amazon S3 API 2006-03-01, GetObject: what a request may say of its answer's headers. */
const OVERRIDES: Readonly<Record<string, string>> = {
  'response-cache-control': 'cache-control',
  'response-content-disposition': 'content-disposition',
  'response-content-encoding': 'content-encoding',
  'response-content-language': 'content-language',
  'response-content-type': 'content-type',
  'response-expires': 'expires',
};

export function getObject(request: WireRequest, address: Address, buckets: Buckets): WireResponse {
  const { headers, query } = request;
  const unknown = [...query.keys()].find(
    (name) => !(name in OVERRIDES) && name !== 'x-id' && !name.startsWith('X-Amz-'),
  );
  if (unknown !== undefined) return notImplemented(`parameter ${unknown} of an object`);
  const object = buckets.read(address.bucket, address.key);
  if (object === undefined) {
    return fail(404, 'NoSuchKey', 'The specified key does not exist.', { Key: address.key });
  }
  const standing = {
    etag: object.etag,
    'last-modified': new Date(object.modifiedMs).toUTCString(),
  };
  const verdict = decideRead(headers, object);
  if (verdict === 'not-modified') return { status: 304, headers: standing };
  const refused = refusedBy(verdict, headers, address.key);
  if (refused !== undefined) return refused;
  const size = object.body.byteLength;
  const range = byteRange(headers['range'], size);
  if (range.kind === 'unsatisfiable') {
    return fail(416, 'InvalidRange', 'The requested range is not satisfiable', {
      RangeRequested: headers['range'] ?? '',
      ActualObjectSize: String(size),
    });
  }
  const isPart = range.kind === 'part';
  const body = isPart ? object.body.subarray(range.start, range.end) : object.body;
  return {
    status: isPart ? 206 : 200,
    headers: {
      'content-type': object.contentType,
      'accept-ranges': 'bytes',
      ...keptOf(object.headers ?? {}, {
        wantsSums: headers['x-amz-checksum-mode'] === 'ENABLED' && !isPart,
      }),
      ...standing,
      ...expirationHeader(buckets, address, object.modifiedMs),
      ...overridden(query),
      'content-length': String(body.byteLength),
      ...(isPart ? { 'content-range': `bytes ${range.start}-${range.end - 1}/${size}` } : {}),
    },
    body,
  };
}

/** Of a whole object, when they are asked for: a part's checksum is another. */
function keptOf(
  headers: Readonly<Record<string, string>>,
  { wantsSums }: { readonly wantsSums: boolean },
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).filter(([name]) => wantsSums || !name.startsWith('x-amz-checksum-')),
  );
}

function overridden(query: URLSearchParams): Record<string, string> {
  return Object.fromEntries(
    Object.entries(OVERRIDES).flatMap(([parameter, header]) => {
      const value = query.get(parameter);
      return value === null ? [] : [[header, value]];
    }),
  );
}

/** The same answer without its body: an error's code is then only its status. */
export function headOf({ status, headers }: WireResponse): WireResponse {
  const isAnswer = status < 400;
  return isAnswer && headers !== undefined ? { status, headers } : { status };
}
