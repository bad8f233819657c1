/** Lambda's operations on functions: described, listed, changed. */
import { createHash } from 'node:crypto';
import { jsonObjectIn } from './aws-json.ts';
import type { JsonInput } from './aws-json.ts';
import type { WireHandler, WireRequest, WireResponse } from './contracts.ts';
import { functionArn, functionIdIn } from './function-id.ts';
import type { FunctionSettings } from './lambda/functions/function-settings.ts';

/** @source AWS Lambda API 2015-03-31, 2017-10-31 and 2019-09-30: the paths of each operation. */
const OPERATIONS: readonly (readonly [method: string, path: RegExp, operation: string])[] = [
  ['GET', /^\/2015-03-31\/functions\/?$/, 'ListFunctions'],
  ['GET', /^\/2015-03-31\/functions\/([^/]+)$/, 'GetFunction'],
  ['GET', /^\/2015-03-31\/functions\/([^/]+)\/configuration$/, 'GetFunctionConfiguration'],
  ['PUT', /^\/2015-03-31\/functions\/([^/]+)\/configuration$/, 'UpdateFunctionConfiguration'],
  ['PUT', /^\/2017-10-31\/functions\/([^/]+)\/concurrency$/, 'PutFunctionConcurrency'],
  ['GET', /^\/2019-09-30\/functions\/([^/]+)\/concurrency$/, 'GetFunctionConcurrency'],
  ['DELETE', /^\/2017-10-31\/functions\/([^/]+)\/concurrency$/, 'DeleteFunctionConcurrency'],
];

export function isFunctionsPath(path: string): boolean {
  return /^\/20\d\d-\d\d-\d\d\/functions(\/|$)/.test(path);
}

/** The operation, and the function it is about; none is served that is not named here. */
export function functionsCall({
  method,
  path,
}: Pick<WireRequest, 'method' | 'path'>): { operation: string; functionName: string } | undefined {
  for (const [verb, pattern, operation] of OPERATIONS) {
    const [whole, id = ''] = verb === method ? (pattern.exec(path) ?? []) : [];
    if (whole !== undefined) return { operation, functionName: functionIdIn(id).name };
  }
  return undefined;
}

export interface FunctionsApiDeps {
  list(): readonly FunctionSettings[];
  /** @throws {Error} saying what Lambda would refuse. */
  update(functionName: string, change: Partial<FunctionSettings>): FunctionSettings;
}

export function createFunctionsApi({ list, update }: FunctionsApiDeps): WireHandler {
  return {
    async handle(request) {
      const call = functionsCall(request);
      if (call === undefined) {
        const message = `emulator limit: no ${request.method} of ${request.path}`;
        return failure(404, 'UnknownOperationException', message);
      }
      if (call.operation === 'ListFunctions') return listed(request, list());
      const settings = list().find(({ name }) => name === call.functionName);
      if (settings === undefined) {
        const message = `Function not found: ${functionArn(call.functionName)}`;
        return failure(404, 'ResourceNotFoundException', message);
      }
      const input = jsonObjectIn(request.body);
      if (input === undefined) {
        const message = 'Could not parse request body into json';
        return failure(400, 'InvalidRequestContentException', message);
      }
      try {
        return answer(call.operation, settings, (change) => update(settings.name, change), input);
      } catch (error) {
        return failure(400, 'InvalidParameterValueException', (error as Error).message);
      }
    },
  };
}

function answer(
  operation: string,
  settings: FunctionSettings,
  update: (change: Partial<FunctionSettings>) => FunctionSettings,
  input: JsonInput,
): WireResponse {
  const { reservedConcurrency } = settings;
  const reserved =
    reservedConcurrency === undefined ? {} : { ReservedConcurrentExecutions: reservedConcurrency };
  switch (operation) {
    case 'GetFunction':
      return json({
        Configuration: configurationOf(settings),
        Code: { RepositoryType: 'S3', Location: `file://${settings.assetDir}` },
        ...(reservedConcurrency === undefined ? {} : { Concurrency: reserved }),
      });
    case 'GetFunctionConfiguration':
      return json(configurationOf(settings));
    case 'UpdateFunctionConfiguration':
      return json(configurationOf(update(changeIn(input))));
    case 'PutFunctionConcurrency': {
      const { ReservedConcurrentExecutions: count, ...others } = input;
      refuseOthers(others);
      if (typeof count !== 'number') throw new Error('ReservedConcurrentExecutions is no number');
      update({ reservedConcurrency: count });
      return json({ ReservedConcurrentExecutions: count });
    }
    case 'GetFunctionConcurrency':
      return json(reserved);
    default: {
      update({ reservedConcurrency: undefined });
      return { status: 204 };
    }
  }
}

/** @throws {Error} naming what cannot be changed here. */
function changeIn(input: JsonInput): Partial<FunctionSettings> {
  const { FunctionName: _, Environment, Timeout, MemorySize, Handler, ...others } = input;
  refuseOthers(others);
  const variables = (Environment as { Variables?: Record<string, string> } | undefined)?.Variables;
  return {
    ...(Environment === undefined ? {} : { environment: variables ?? {} }),
    ...(Timeout === undefined ? {} : { timeoutSec: Number(Timeout) }),
    ...(MemorySize === undefined ? {} : { memoryMb: Number(MemorySize) }),
    ...(Handler === undefined ? {} : { handler: String(Handler) }),
  };
}

function refuseOthers(others: JsonInput): void {
  const [name] = Object.keys(others);
  if (name !== undefined) throw new Error(`emulator limit: parameter ${name} is not supported`);
}

function listed({ query }: WireRequest, all: readonly FunctionSettings[]): WireResponse {
  const countMax = Number(query.get('MaxItems') ?? 50);
  if (!Number.isInteger(countMax) || countMax < 1 || countMax > 10_000) {
    return failure(400, 'InvalidParameterValueException', 'MaxItems must be 1 to 10000');
  }
  const after = Buffer.from(query.get('Marker') ?? '', 'base64').toString();
  const left = [...all]
    .sort((one, other) => (one.name < other.name ? -1 : 1))
    .filter(({ name }) => name > after);
  const page = left.slice(0, countMax);
  const last = page.at(-1);
  return json({
    Functions: page.map(configurationOf),
    ...(last !== undefined && page.length < left.length
      ? { NextMarker: Buffer.from(last.name).toString('base64') }
      : {}),
  });
}

function configurationOf(settings: FunctionSettings): object {
  const revision = createHash('sha256').update(JSON.stringify(settings)).digest('hex');
  return {
    FunctionName: settings.name,
    FunctionArn: settings.arn,
    Runtime: 'nodejs24.x',
    Handler: settings.handler,
    Timeout: settings.timeoutSec,
    MemorySize: settings.memoryMb,
    Environment: { Variables: settings.environment },
    Version: '$LATEST',
    PackageType: 'Zip',
    State: 'Active',
    LastUpdateStatus: 'Successful',
    RevisionId: revision.slice(0, 32).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-'),
    LoggingConfig: { LogFormat: 'Text', LogGroup: `/aws/lambda/${settings.name}` },
  };
}

function json(body: object): WireResponse {
  const headers = { 'content-type': 'application/json' };
  return { status: 200, headers, body: JSON.stringify(body) };
}

function failure(status: number, code: string, message: string): WireResponse {
  const headers = { 'content-type': 'application/json', 'x-amzn-errortype': code };
  return { status, headers, body: JSON.stringify({ Type: 'User', Message: message, message }) };
}
