/** Stands before every emulator: a function's request passes when its role allows all of it. */
import { jsonObjectIn } from '#local/aws-json';
import type { NewId, WireRequest, WireResponse } from '#local/contracts';
import { isSchedulerRequest } from '#local/emulators/scheduler/scheduler-api';
import { isFunctionsPath } from '#local/functions-api';
import { isInvokePath } from '#local/invoke-api';
import { isMappingPath } from '#local/mapping-api';
import { isStatusPath } from '#local/status-path';
import type { Caller } from './caller.ts';
import type { Call } from './decide.ts';
import { JSON_CALLS } from './json-calls.ts';
import {
  functionsCalls,
  invokeCalls,
  mappingCalls,
  objectCalls,
  schedulerCalls,
} from './path-calls.ts';
import { refusalResponse } from './refusal.ts';
import type { ResourceFacts } from './resource-facts.ts';

/** The answer to a request that is refused. */
export type Gate = (request: WireRequest) => WireResponse | undefined;

/** Whoever has none of the functions' access keys is an operator, and may do everything. */
export function createGate(
  callerWith: (accessKey: string) => Caller | undefined,
  facts: ResourceFacts,
  newId: NewId,
): Gate {
  return (request) => {
    const accessKey = accessKeyIn(request);
    const caller = accessKey === undefined ? undefined : callerWith(accessKey);
    if (caller === undefined) return undefined;
    for (const call of callsNeeded(request, facts)) {
      const refusal = caller.refusal(call);
      if (refusal !== undefined) return refusalResponse(refusal, newId());
    }
    return undefined;
  };
}

/** @source AWS General Reference, Signature Version 4: in a header, or in a query that is shared. */
function accessKeyIn({ headers, query }: WireRequest): string | undefined {
  const signed = /\bCredential=([^/,\s]+)/.exec(headers['authorization'] ?? '')?.[1];
  return signed ?? query.get('X-Amz-Credential')?.split('/')[0];
}

/** Follows the way that the request will take, as the port's routes have it. */
function callsNeeded(request: WireRequest, facts: ResourceFacts): readonly Call[] {
  const [service = '', operation = ''] = (request.headers['x-amz-target'] ?? '').split('.');
  const needed = Object.hasOwn(JSON_CALLS, service) ? JSON_CALLS[service] : undefined;
  // What cannot be read is refused by the emulator.
  if (needed !== undefined) return needed(operation, jsonObjectIn(request.body) ?? {}, facts);
  if (isStatusPath(request.path)) return [];
  if (isInvokePath(request.path)) return invokeCalls(request);
  if (isFunctionsPath(request.path)) return functionsCalls(request);
  if (isSchedulerRequest(request)) return schedulerCalls(request);
  if (isMappingPath(request.path)) return mappingCalls(request);
  return service === '' ? objectCalls(request) : [];
}
