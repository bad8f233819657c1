/** Lambda's operations on event source mappings over their wire protocol. */
import { ServiceError } from './aws-json.ts';
import type { WireHandler, WireRequest, WireResponse } from './contracts.ts';
import type { MappingChanges } from './lambda/mapping/mapping-changes.ts';

/** @source Lambda API 2015-03-31, CreateEventSourceMapping and its siblings. */
const PATH = /^\/2015-03-31\/event-source-mappings(?:\/([^/]*))?\/?$/;
/** @source Lambda API 2015-03-31, ListEventSourceMappings: "a maximum of 100 items in each response". */
const PAGE_MAX = 100;
const FIXED = ['EventSourceArn', 'StartingPosition', 'StartingPositionTimestamp'];

export function isMappingPath(path: string): boolean {
  return PATH.test(path);
}

/** The UUID in the path; empty where it is of all mappings. */
export function mappingIn(path: string): string {
  return decodeURIComponent(PATH.exec(path)?.[1] ?? '');
}

/** The name of the operation, as in `lambda:…`. */
export function mappingOperation({ method, path }: Pick<WireRequest, 'method' | 'path'>): string {
  const isOne = mappingIn(path) !== '';
  const verbs: Readonly<Record<string, string>> = isOne
    ? { GET: 'Get', PUT: 'Update', DELETE: 'Delete' }
    : { GET: 'List', POST: 'Create' };
  const verb = verbs[method];
  if (verb === undefined) return '';
  return `${verb}EventSourceMapping${verb === 'List' ? 's' : ''}`;
}

export function createMappingApi(mappings: MappingChanges): WireHandler {
  return {
    async handle(request) {
      try {
        return answer(mappings, request);
      } catch (error) {
        if (!(error instanceof ServiceError)) throw error;
        return refusal(error);
      }
    },
  };
}

function answer(mappings: MappingChanges, request: WireRequest): WireResponse {
  const uuid = mappingIn(request.path);
  switch (mappingOperation(request)) {
    case 'CreateEventSourceMapping':
      return json(202, mappings.create(bodyOf(request)));
    case 'GetEventSourceMapping':
      return json(200, mappings.get(uuid));
    case 'ListEventSourceMappings':
      return json(200, page(mappings, request.query));
    case 'UpdateEventSourceMapping': {
      const { UUID: _, ...changes } = bodyOf(request);
      const fixed = FIXED.find((name) => name in changes);
      if (fixed !== undefined) throw invalid(`${fixed} cannot be changed`);
      return json(202, mappings.update(uuid, changes));
    }
    case 'DeleteEventSourceMapping':
      return json(202, mappings.remove(uuid));
    default:
      throw new ServiceError('MethodNotAllowedException', `no ${request.method} of mappings`, {
        status: 405,
      });
  }
}

function page(mappings: MappingChanges, query: URLSearchParams): object {
  const text = query.get('MaxItems') ?? '100';
  const count = Number(text);
  if (!Number.isInteger(count) || count < 1 || count > 10_000) {
    throw new ServiceError('ValidationException', `MaxItems is ${text}, not 1 to 10000`);
  }
  const functionName = query.get('FunctionName') ?? undefined;
  const streamArn = query.get('EventSourceArn') ?? undefined;
  const all = mappings.list({
    ...(functionName === undefined ? {} : { functionName }),
    ...(streamArn === undefined ? {} : { streamArn }),
  });
  const marker = query.get('Marker') ?? '';
  const after = marker === '' ? 0 : all.findIndex(({ UUID }) => UUID === marker) + 1;
  if (marker !== '' && after === 0) throw invalid('Marker is of no list of these mappings');
  const end = after + Math.min(count, PAGE_MAX);
  const last = all[end - 1];
  return {
    EventSourceMappings: all.slice(after, end),
    ...(end < all.length ? { NextMarker: last?.['UUID'] } : {}),
  };
}

function bodyOf({ body }: WireRequest): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(Buffer.from(body).toString() || '{}');
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
      const members = Object.entries(value).filter(([, member]) => member !== null);
      return Object.fromEntries(members) as Readonly<Record<string, unknown>>;
    }
  } catch {
    // Refused below, as anything else that is no object.
  }
  throw new ServiceError('SerializationException', 'The request body is no JSON object');
}

function invalid(message: string): ServiceError {
  return new ServiceError('InvalidParameterValueException', message);
}

function json(status: number, body: object): WireResponse {
  return { status, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
}

function refusal({ code, message, status }: ServiceError): WireResponse {
  const headers = { 'content-type': 'application/json', 'x-amzn-errortype': code };
  const members =
    code === 'ResourceNotFoundException' || code === 'ResourceInUseException'
      ? { Message: message }
      : { message };
  return { status, headers, body: JSON.stringify({ Type: 'User', ...members }) };
}
