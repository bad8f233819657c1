/** Amazon S3 as far as objects go, over its wire protocol. */
import type {
  Clock,
  NewId,
  Storage,
  WireHandler,
  WireRequest,
  WireResponse,
} from '#local/contracts';
import { RANDOM_ID } from '#local/new-id';
import { addressOf, isEncoded } from './address.ts';
import type { Address } from './address.ts';
import { deleteObject, deleteObjects } from './delete-objects.ts';
import { documentOf } from './documents.ts';
import { getObject, headOf } from './get-object.ts';
import { listObjects } from './list-objects.ts';
import { openBuckets } from './object-store.ts';
import type { Buckets } from './object-store.ts';
import { copyObject, etagOf, putObject } from './put-object.ts';
import type { ObjectsState } from './put-object.ts';
import { fail, notImplemented, xml } from './responses.ts';

export interface Objects extends WireHandler {
  readonly buckets: Buckets;
}

/** Serve the buckets of `storage`, path-style and virtual-host style. */
export function createObjects({
  storage,
  clock,
  newId = RANDOM_ID,
}: {
  storage: Storage;
  clock: Clock;
  newId?: NewId;
}): Objects {
  const buckets = openBuckets(storage, { clock, etagOf });
  return {
    buckets,
    async handle(request) {
      const response = respond(request, { buckets, clock });
      return { ...response, headers: { ...response.headers, 'x-amz-request-id': newId() } };
    },
  };
}

function respond(request: WireRequest, state: ObjectsState): WireResponse {
  const { buckets } = state;
  if (!isEncoded(request.path)) {
    return fail(400, 'InvalidURI', "Couldn't parse the specified URI.");
  }
  const address = addressOf(request);
  const { bucket, key } = address;
  if (bucket === '') return notImplemented('list of buckets');
  if (!buckets.hasBucket(bucket)) {
    const answer = fail(404, 'NoSuchBucket', 'The specified bucket does not exist', {
      BucketName: bucket,
    });
    return request.method === 'HEAD' ? { status: 404 } : answer;
  }
  return key === ''
    ? respondBucket(request, bucket, buckets)
    : respondObject(request, address, state);
}

function respondObject(request: WireRequest, address: Address, state: ObjectsState): WireResponse {
  switch (request.method) {
    case 'PUT':
      return request.headers['x-amz-copy-source'] === undefined
        ? putObject(request, address, state)
        : copyObject(request, address, state);
    case 'GET':
      return getObject(request, address, state.buckets);
    case 'HEAD':
      return headOf(getObject(request, address, state.buckets));
    case 'DELETE':
      return deleteObject(request, address, state.buckets);
    default:
      return notImplemented(`${request.method} of an object`);
  }
}

function respondBucket(request: WireRequest, bucket: string, buckets: Buckets): WireResponse {
  const { method, query } = request;
  if (method === 'HEAD') return { status: 200, headers: { 'x-amz-bucket-region': 'us-east-1' } };
  if (method === 'GET' && query.get('list-type') === '2') {
    return listObjects(request, bucket, buckets);
  }
  if (method === 'GET' && query.has('location')) {
    return xml(200, documentOf('LocationConstraint', []));
  }
  if (method === 'POST' && query.has('delete')) return deleteObjects(request, bucket, buckets);
  return notImplemented(`${method} ?${query.toString()} of a bucket`);
}
