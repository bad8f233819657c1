/** Names a request as a fault does: a service, and its operation. */
import type { WireRequest } from '#local/contracts';
import { isSchedulerRequest, schedulerCall } from '#local/emulators/scheduler/scheduler-api';
import { functionsCall, isFunctionsPath } from '#local/functions-api';
import { isInvokePath } from '#local/invoke-api';
import { isMappingPath, mappingOperation } from '#local/mapping-api';
import { isStatusPath } from '#local/status-path';

export interface OperationName {
  /** `kinesis`, `dynamodb`, `secretsmanager`, `logs`, `s3`, `sqs`, `lambda` … */
  readonly service: string;
  /** `PutRecords` */
  readonly operation: string;
}

/** Undefined for what no service of AWS is asked. */
export function operationOf(request: WireRequest): OperationName | undefined {
  const { headers, method, path, query } = request;
  const target = headers['x-amz-target'];
  if (target !== undefined) {
    const [service = '', operation = ''] = target.split('.');
    return { service: serviceName(service), operation };
  }
  if (isStatusPath(path)) return undefined;
  if (isInvokePath(path)) return { service: 'lambda', operation: 'Invoke' };
  if (isFunctionsPath(path)) {
    return { service: 'lambda', operation: functionsCall(request)?.operation ?? method };
  }
  if (isMappingPath(path)) return { service: 'lambda', operation: mappingOperation(request) };
  if (isSchedulerRequest(request)) {
    return { service: 'scheduler', operation: schedulerCall(request)?.operation ?? method };
  }
  const hasKey = /^\/[^/]+\/./.test(path);
  const operation = hasKey ? OBJECT_OPERATIONS[method] : BUCKET_OPERATIONS[method];
  if (method === 'GET' && hasKey && query.has('list-type')) {
    return { service: 's3', operation: 'ListObjectsV2' };
  }
  return { service: 's3', operation: operation ?? method };
}

/** `Kinesis_20131202` and `kinesis` are one service, and so are `AmazonSQS` and `sqs`. */
export function serviceName(target: string): string {
  return target
    .toLowerCase()
    .replace(/_\d{8}$/, '')
    .replace(/^amazon/, '');
}

const OBJECT_OPERATIONS: Readonly<Record<string, string>> = {
  GET: 'GetObject',
  HEAD: 'HeadObject',
  PUT: 'PutObject',
  DELETE: 'DeleteObject',
};

const BUCKET_OPERATIONS: Readonly<Record<string, string>> = {
  GET: 'ListObjectsV2',
  HEAD: 'HeadBucket',
  POST: 'DeleteObjects',
};
