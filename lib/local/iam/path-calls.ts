/** What a request by method and path needs to be allowed: objects, and functions. */
import type { WireRequest } from '#local/contracts';
import { textsOf } from '#local/emulators/objects/documents';
import { addressOf } from '#local/emulators/objects/address';
import { schedulerCall } from '#local/emulators/scheduler/scheduler-api';
import { functionArn, functionIdIn } from '#local/function-id';
import { functionsCall } from '#local/functions-api';
import { mappingIn, mappingOperation } from '#local/mapping-api';
import { arn, PARTITION } from '#local/template/arns';
import type { Call } from './decide.ts';

/** @source Service Authorization Reference, S3: HeadObject and HeadBucket have no action of their own. */
const OBJECT_ACTIONS: Readonly<Record<string, string>> = {
  PUT: 's3:PutObject',
  GET: 's3:GetObject',
  HEAD: 's3:GetObject',
  DELETE: 's3:DeleteObject',
};

/** Of what the local cloud does not do, none: it is answered as such. */
export function objectCalls(request: WireRequest): readonly Call[] {
  const { bucket, key } = addressOf(request);
  if (bucket === '') return [];
  if (key === '') return bucketCalls(request, bucket);
  const action = OBJECT_ACTIONS[request.method];
  if (action === undefined) return [];
  const copied = request.headers['x-amz-copy-source'];
  const call = { action, resource: objectArn(bucket, key) };
  if (copied === undefined) return [call];
  const source = addressOf({ path: `/${copied.replace(/^\//, '')}`, headers: {} });
  return [call, { action: 's3:GetObject', resource: objectArn(source.bucket, source.key) }];
}

export function invokeCalls({ path }: WireRequest): readonly Call[] {
  const id = path.split('/')[3] ?? '';
  const resource = functionArn(functionIdIn(id).name);
  return [{ action: 'lambda:InvokeFunction', resource }];
}

/** @source Service Authorization Reference, Lambda: making and listing are of every mapping. */
export function mappingCalls(request: WireRequest): readonly Call[] {
  const operation = mappingOperation(request);
  if (operation === '') return [];
  const uuid = mappingIn(request.path);
  const resource = uuid === '' ? '*' : arn('lambda', `event-source-mapping:${uuid}`);
  return [{ action: `lambda:${operation}`, resource }];
}

function bucketCalls(request: WireRequest, bucket: string): readonly Call[] {
  if (request.query.has('location')) {
    return [{ action: 's3:GetBucketLocation', resource: `arn:${PARTITION}:s3:::${bucket}` }];
  }
  if (request.method !== 'POST') return [listBucket(bucket)];
  const keys = textsOf('Key', Buffer.from(request.body).toString());
  return keys.map((key) => ({ action: 's3:DeleteObject', resource: objectArn(bucket, key) }));
}

/** @source Service Authorization Reference, EventBridge Scheduler. */
export function schedulerCalls(request: WireRequest): readonly Call[] {
  const call = schedulerCall(request);
  if (call === undefined) return [];
  const { operation, name, group } = call;
  const resource = name === '' ? '*' : arn('scheduler', `schedule/${group}/${name}`);
  return [{ action: `scheduler:${operation}`, resource }];
}

/** @source Service Authorization Reference, Lambda: listing is of every function. */
export function functionsCalls(request: WireRequest): readonly Call[] {
  const call = functionsCall(request);
  if (call === undefined) return [];
  const { operation, functionName } = call;
  const resource = functionName === '' ? '*' : functionArn(functionName);
  return [{ action: `lambda:${operation}`, resource }];
}

/** @source Lambda Developer Guide, S3 as a failure destination: the role lists and puts. */
export function keepFailureCalls(bucket: string, key: string): readonly Call[] {
  return [listBucket(bucket), { action: 's3:PutObject', resource: objectArn(bucket, key) }];
}

/** @source Lambda Developer Guide, SQS as a failure destination: the role sends. */
export function tellQueueCall(queueArn: string): Call {
  return { action: 'sqs:SendMessage', resource: queueArn };
}

function listBucket(bucket: string): Call {
  return { action: 's3:ListBucket', resource: `arn:${PARTITION}:s3:::${bucket}` };
}

function objectArn(bucket: string, key: string): string {
  return `arn:${PARTITION}:s3:::${bucket}/${key}`;
}
