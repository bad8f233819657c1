/** The cloud's one port: which requests go to which part. */
import type { CloudOptions } from './cloud-options.ts';
import type { CloudParts, CloudSurroundings } from './cloud-parts.ts';
import { isSchedulerRequest } from './emulators/scheduler/scheduler-api.ts';
import { createFunctionsApi, isFunctionsPath } from './functions-api.ts';
import { createInvokeApi, isInvokePath } from './invoke-api.ts';
import { createRouter } from './router.ts';
import type { Router, WireRoutes } from './router.ts';
import { createMappingApi, isMappingPath } from './mapping-api.ts';
import { portTaken } from './port-taken.ts';
import { createStatusPages } from './status-pages.ts';
import { isStatusPath } from './status-path.ts';
import { watchItemWrites, watchPuts } from './watch-writes.ts';
import { openWire } from './wire.ts';

export interface CloudPort {
  readonly url: string;
  /** Takes a request as the port does, without a socket. */
  readonly route: Router;
  close(): Promise<void>;
}

type PortOptions = Omit<CloudOptions, 'faults' | 'seed'> &
  Pick<CloudSurroundings, 'faults' | 'seed'>;

/** Where a cloud without a port is: an address that no name server ever resolves (RFC 2606). */
const NOWHERE = 'http://penstock.invalid';

/** @throws {Error} in one sentence, when the port is taken. */
export async function openCloudPort(
  parts: CloudParts,
  resources: Readonly<Record<string, readonly string[]>>,
  options: PortOptions,
): Promise<CloudPort> {
  const routes = routesOf(parts, resources, options);
  const route = createRouter(routes);
  const { port } = options;
  if (port === false) return { url: NOWHERE, route, close: async () => undefined };
  try {
    const { url, close } = await openWire(routes, port === undefined ? {} : { port });
    return { url, route, close };
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw cause;
    throw new Error(portTaken(port), { cause });
  }
}

function routesOf(
  parts: CloudParts,
  resources: Readonly<Record<string, readonly string[]>>,
  { onEvent, clock, faults, seed }: PortOptions,
): WireRoutes {
  const {
    kinesis,
    dynamodb,
    secrets,
    logs,
    objects,
    functions,
    events,
    scheduler,
    alarms,
    rights,
  } = parts;
  const invokeApi = createInvokeApi({
    invoke: functions.invoke,
    hasFunction: functions.has,
    accept: (functionName, payload) => void events.accept(functionName, payload),
  });
  return {
    admit: rights.gate,
    faultOf: faults.ofRequest,
    newId: seed.newId,
    ...(clock === undefined ? {} : { clock }),
    targets: {
      [kinesis.target]:
        onEvent === undefined
          ? kinesis
          : watchPuts(kinesis, (put) => onEvent({ kind: 'put', ...put })),
      [dynamodb.target]:
        onEvent === undefined
          ? dynamodb
          : watchItemWrites(dynamodb, (write) => onEvent({ kind: 'item-write', ...write })),
      secretsmanager: secrets,
      [parts.queues.target]: parts.queues,
      [logs.target]: logs,
    },
    paths: [
      {
        matches: ({ path }) => isStatusPath(path),
        handler: createStatusPages({ resources, alarms, rights, faults: faults.planned }),
      },
      { matches: ({ path }) => isInvokePath(path), handler: invokeApi },
      { matches: ({ path }) => isFunctionsPath(path), handler: createFunctionsApi(functions) },
      { matches: isSchedulerRequest, handler: scheduler.api },
      {
        matches: ({ path }) => isMappingPath(path),
        handler: createMappingApi(parts.mappings.changes),
      },
      { matches: ({ headers }) => headers['x-amz-target'] === undefined, handler: objects },
    ],
    onDefect: (error) => onEvent?.({ kind: 'defect', error }),
  };
}
