/** A small cloud on one machine: what cdk.out describes, running, behind one port of loopback. */
import { openCloudStorage } from './cloud-storage.ts';
import type { CloudEvent } from './cloud-event.ts';
import type { Chance, Clock, FaultPlan, InvokeResult } from './contracts.ts';
import { deployResources } from './deploy-resources.ts';
import type { ResourceMakers } from './deploy-resources.ts';
import { createKinesis } from './emulators/kinesis/kinesis.ts';
import { createObjects } from './emulators/objects/objects.ts';
import { createScheduler } from './emulators/scheduler/scheduler.ts';
import { createSecrets } from './emulators/secrets/secrets.ts';
import { createEventQueue } from './event-queue.ts';
import { createInvokeApi, isInvokePath } from './invoke-api.ts';
import { createFunctions } from './lambda/functions/create-functions.ts';
import type { LogLine } from './lambda/functions/invocation-log.ts';
import { createMappings } from './mappings.ts';
import { createStatusPages, isStatusPath } from './status-pages.ts';
import { SYSTEM_CLOCK } from './system-clock.ts';
import { readAssembly } from './template/assembly.ts';
import { planResources } from './template/plan-resources.ts';
import type { PlannedResource } from './template/plan-resources.ts';
import { ACCOUNT_ID, REGION } from './template/resource-types.ts';
import { watchPuts } from './watch-writes.ts';
import { openWire } from './wire.ts';
import type { Wire } from './wire.ts';

export interface CloudOptions {
  /** The folder that `cdk synth` wrote. */
  readonly cdkOut: string;
  /** Values of the templates' parameters, by logical id; the same for all stacks. */
  readonly parameters: Readonly<Record<string, string>>;
  /** Default: any that is free. */
  readonly port?: number;
  /** Default: everything is in memory, and gone at the end. */
  readonly keepDir?: string;
  /** True: a schedule ticks as soon as its last run ended. */
  readonly tempo?: boolean;
  /** True: mappings poll once a second, as on AWS, instead of being told of a write. */
  readonly faithful?: boolean;
  readonly clock?: Clock;
  readonly chance?: Chance;
  readonly faults?: FaultPlan;
  readonly onEvent?: (event: CloudEvent) => void;
}

export interface Cloud {
  /** What AWS_ENDPOINT_URL must be. */
  readonly endpoint: string;
  readonly region: string;
  /** Physical names by CloudFormation type, inert ones left out. */
  readonly resources: ResourceNames;
  invoke(functionName: string, payload: string): Promise<InvokeResult>;
  /** True when no function runs, and every mapping has finished what was written. */
  isIdle(): boolean;
  /**
   * Ends everything: no schedule ticks, what runs is waited for, no process or port is left.
   * What was written is in the keep folder, if there is one.
   */
  stop(): Promise<void>;
}

export type ResourceNames = Readonly<Record<string, readonly string[]>>;

/** From the end of a run to the next tick of a schedule that keeps no time. */
const TEMPO_GAP_MS = 200;

/**
 * Make every resource of the synthesized app, and set it going.
 *
 * @throws {TemplateError} saying everything of the app that cannot be run here.
 * @throws {Error} in one sentence, when the port or the keep folder is taken.
 */
export async function startCloud(options: CloudOptions): Promise<Cloud> {
  const planned = planResources(readAssembly(options.cdkOut), options.parameters);
  const closers: (() => Promise<void> | void)[] = [];
  const stop = async (): Promise<void> => {
    for (const close of closers.splice(0).reverse()) await close();
  };
  try {
    return await assemble(planned, options, { stop, onStop: (close) => void closers.push(close) });
  } catch (error) {
    await stop();
    throw error;
  }
}

interface Lifetime {
  stop(): Promise<void>;
  /** Closers run last come first. */
  onStop(close: () => Promise<void> | void): void;
}

async function assemble(
  planned: readonly PlannedResource[],
  options: CloudOptions,
  { stop, onStop }: Lifetime,
): Promise<Cloud> {
  const { clock = SYSTEM_CLOCK, onEvent = () => undefined, tempo = false } = options;
  const { storage, close } = openCloudStorage(options.keepDir);
  onStop(close);
  const faults = options.faults ?? {};
  const kinesis = createKinesis({ storage, clock, faults, region: REGION, accountId: ACCOUNT_ID });
  const objects = createObjects({ storage, clock });
  const secrets = createSecrets({ storage, clock });

  const resources = namesByType(planned);
  let wire: Wire | undefined;
  const functions = createFunctions({
    region: REGION,
    clock: SYSTEM_CLOCK,
    aws: () => ({ ...CREDENTIALS, AWS_ENDPOINT_URL: wire?.url ?? '' }),
    onLog: (line) => onEvent(logEvent(line)),
    onReport: (report) => onEvent({ kind: 'invocation', ...report }),
  });
  const events = createEventQueue({ invoker: functions, clock, objects: objects.buckets, tempo, onEvent });
  const scheduler = createScheduler({
    clock,
    deliver: events.accept,
    onTick: (tick) => onEvent({ kind: 'tick', ...tick }),
    ...(tempo ? { tempoGapMs: TEMPO_GAP_MS } : {}),
  });

  const mappings = createMappings({
    log: kinesis,
    invoker: functions,
    objects: objects.buckets,
    storage,
    clock,
    chance: options.chance ?? Math.random,
    isFaithful: options.faithful ?? false,
    onEvent,
  });

  wire = await openPort(options.port, {
    targets: {
      [kinesis.target]: watchPuts(kinesis, (put) => onEvent({ kind: 'put', ...put })),
      secretsmanager: secrets,
    },
    paths: [
      { matches: ({ path }) => isStatusPath(path), handler: createStatusPages(resources) },
      {
        matches: ({ path }) => isInvokePath(path),
        handler: createInvokeApi({
          invoker: functions,
          hasFunction: functions.has,
          accept: (functionName, payload) => void events.accept(functionName, payload),
        }),
      },
      { matches: ({ headers }) => headers['x-amz-target'] === undefined, handler: objects },
    ],
    onDefect: (error) => onEvent({ kind: 'defect', error }),
  });
  onStop(wire.close);
  onStop(() => functions.stop());
  onStop(mappings.stop);
  onStop(events.stop);
  onStop(scheduler.stop);

  const makers: ResourceMakers = {
    stream: kinesis.createStream,
    table: () => undefined,
    bucket: objects.buckets.createBucket,
    secret: secrets.createSecret,
    function(settings, roleArn) {
      functions.add(settings);
      mappings.addFunction({ functionName: settings.name, functionArn: settings.arn, roleArn });
    },
    invokeConfig: events.configure,
    mapping: mappings.add,
    schedule: scheduler.add,
  };
  deployResources(planned, makers);
  mappings.start();
  scheduler.start();

  return {
    endpoint: wire.url,
    region: REGION,
    resources,
    invoke: functions.invoke,
    isIdle: () => mappings.isIdle() && functions.running() === 0,
    stop,
  };
}

const CREDENTIALS = { AWS_ACCESS_KEY_ID: 'local', AWS_SECRET_ACCESS_KEY: 'local' };

async function openPort(
  port: number | undefined,
  routes: Parameters<typeof openWire>[0],
): Promise<Wire> {
  try {
    return await openWire(routes, port === undefined ? {} : { port });
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw cause;
    const sentence = `Port ${port} is taken: stop what uses it, or choose another with --port.`;
    throw new Error(sentence, { cause });
  }
}

function namesByType(planned: readonly PlannedResource[]): ResourceNames {
  const names: Record<string, string[]> = {};
  for (const { type, name, inert } of planned) if (!inert) (names[type] ??= []).push(name);
  return names;
}

function logEvent(line: LogLine): CloudEvent {
  const json = jsonObjectIn(line.line);
  return { kind: 'log', ...line, ...(json === undefined ? {} : { json }) };
}

function jsonObjectIn(line: string): Readonly<Record<string, unknown>> | undefined {
  if (!line.startsWith('{')) return undefined;
  try {
    return JSON.parse(line) as Readonly<Record<string, unknown>>;
  } catch {
    return undefined;
  }
}
