/** The cloud's one port: which requests go to which part. */
import type { CloudOptions } from './cloud-options.ts';
import type { CloudParts } from './cloud-parts.ts';
import { createInvokeApi, isInvokePath } from './invoke-api.ts';
import { portTaken } from './port-taken.ts';
import { createStatusPages } from './status-pages.ts';
import { isStatusPath } from './status-path.ts';
import { watchItemWrites, watchPuts } from './watch-writes.ts';
import { openWire } from './wire.ts';
import type { Wire, WireRoutes } from './wire.ts';

/** @throws {Error} in one sentence, when the port is taken. */
export async function openCloudPort(
  parts: CloudParts,
  resources: Readonly<Record<string, readonly string[]>>,
  { port, onEvent }: CloudOptions,
): Promise<Wire> {
  try {
    return await openWire(routesOf(parts, resources, onEvent), port === undefined ? {} : { port });
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw cause;
    throw new Error(portTaken(port), { cause });
  }
}

function routesOf(
  { kinesis, dynamodb, secrets, logs, objects, functions, events, alarms, rights }: CloudParts,
  resources: Readonly<Record<string, readonly string[]>>,
  onEvent: CloudOptions['onEvent'],
): WireRoutes {
  const invokeApi = createInvokeApi({
    invoker: functions,
    hasFunction: functions.has,
    accept: (functionName, payload) => void events.accept(functionName, payload),
  });
  return {
    admit: rights.gate,
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
      [logs.target]: logs,
    },
    paths: [
      {
        matches: ({ path }) => isStatusPath(path),
        handler: createStatusPages({ resources, alarms, rights }),
      },
      { matches: ({ path }) => isInvokePath(path), handler: invokeApi },
      { matches: ({ headers }) => headers['x-amz-target'] === undefined, handler: objects },
    ],
    onDefect: (error) => onEvent?.({ kind: 'defect', error }),
  };
}
