/** What a request by method and path needs to be allowed: objects, and functions. */
import type { WireRequest } from '#local/contracts';
import { addressOf } from '#local/emulators/objects/objects';
import { functionNameIn } from '#local/invoke-api';
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
  if (key === '') return [listBucket(bucket)];
  const action = OBJECT_ACTIONS[request.method];
  return action === undefined ? [] : [{ action, resource: objectArn(bucket, key) }];
}

export function invokeCalls({ path }: WireRequest): readonly Call[] {
  const resource = arn('lambda', `function:${functionNameIn(path)}`);
  return [{ action: 'lambda:InvokeFunction', resource }];
}

/** @source Lambda Developer Guide, S3 as a failure destination: the role lists and puts. */
export function keepFailureCalls(bucket: string, key: string): readonly Call[] {
  return [listBucket(bucket), { action: 's3:PutObject', resource: objectArn(bucket, key) }];
}

function listBucket(bucket: string): Call {
  return { action: 's3:ListBucket', resource: `arn:${PARTITION}:s3:::${bucket}` };
}

function objectArn(bucket: string, key: string): string {
  return `arn:${PARTITION}:s3:::${bucket}/${key}`;
}
