/** Makes the emulators and what drives them, each with what it needs of the others; nothing runs yet. */
import { createAlarms } from './alarms/alarms.ts';
import type { Alarms } from './alarms/alarms.ts';
import type { CloudOptions } from './cloud-options.ts';
import type { Storage } from './contracts.ts';
import type { ResourceMakers } from './deploy-resources.ts';
import { createDynamoDb } from './emulators/dynamodb/dynamodb.ts';
import type { DynamoDb } from './emulators/dynamodb/dynamodb.ts';
import { createKinesis } from './emulators/kinesis/kinesis.ts';
import type { Kinesis } from './emulators/kinesis/kinesis.ts';
import { createObjects } from './emulators/objects/objects.ts';
import type { Objects } from './emulators/objects/objects.ts';
import { createLogs } from './emulators/logs/logs.ts';
import type { Logs } from './emulators/logs/logs.ts';
import { createScheduler } from './emulators/scheduler/scheduler.ts';
import type { Scheduler } from './emulators/scheduler/scheduler.ts';
import { createSecrets } from './emulators/secrets/secrets.ts';
import type { Secrets } from './emulators/secrets/secrets.ts';
import { createEventQueue } from './event-queue.ts';
import type { EventQueue } from './event-queue.ts';
import type { Rights } from './iam/rights.ts';
import { createFunctions } from './lambda/functions/create-functions.ts';
import type { LocalFunctions } from './lambda/functions/create-functions.ts';
import { logEvent } from './log-event.ts';
import { createMappings } from './mappings.ts';
import type { Mappings } from './mappings.ts';
import { ofInvocation, ofThrottle } from './metrics/lambda-measurements.ts';
import { createMetricStore } from './metrics/metric-store.ts';
import { readEmf } from './metrics/read-emf.ts';
import { SYSTEM_CLOCK } from './system-clock.ts';
import { ACCOUNT_ID, REGION } from './template/arns.ts';

export interface CloudParts {
  readonly kinesis: Kinesis;
  readonly dynamodb: DynamoDb;
  readonly objects: Objects;
  readonly secrets: Secrets;
  readonly logs: Logs;
  readonly functions: LocalFunctions;
  readonly events: EventQueue;
  readonly scheduler: Scheduler;
  readonly mappings: Mappings;
  readonly alarms: Alarms;
  readonly rights: Rights;
}

/** From the end of a run to the next tick of a schedule that keeps no time. */
const TEMPO_GAP_MS = 200;

/** `endpoint` is asked whenever a function's process starts. */
export function createCloudParts(
  options: CloudOptions,
  { storage, endpoint, rights }: { storage: Storage; endpoint: () => string; rights: Rights },
): CloudParts {
  const { clock = SYSTEM_CLOCK, onEvent = () => undefined, tempo = false } = options;
  const { faults = {} } = options;
  const place = { storage, clock, region: REGION, accountId: ACCOUNT_ID };
  const store = createMetricStore(clock);
  const { measure } = store;
  const kinesis = createKinesis({ ...place, faults, measure });
  const dynamodb = createDynamoDb({ ...place, faults });
  const objects = createObjects(place);
  const logs = createLogs({ clock });
  const invoker = createFunctions({
    region: REGION,
    // A function's process lives in real time, whatever the cloud's clock is.
    clock: SYSTEM_CLOCK,
    aws: (functionName) => ({
      ...rights.credentialsOf(functionName),
      AWS_ENDPOINT_URL: endpoint(),
    }),
    onLog(line) {
      if (!rights.mayLog(line.functionName)) return;
      logs.write(line);
      const event = logEvent(line);
      readEmf(event.json).forEach(measure);
      onEvent(event);
    },
    onReport(report) {
      ofInvocation(report).forEach(measure);
      onEvent({ kind: 'invocation', ...report });
    },
    onThrottle: (functionName) => measure(ofThrottle(functionName)),
  });
  const { buckets } = objects;
  const events = createEventQueue({
    invoker,
    clock,
    objectsAs: (functionName) => rights.objectsAs(functionName, buckets),
    tempo,
    onEvent,
    measure,
  });
  const scheduler = createScheduler({
    clock,
    deliver: events.accept,
    faults: {
      onTick: (schedule) => (rights.mayTick(schedule) ? faults.onTick?.(schedule) : 'drop'),
    },
    measure,
    onTick: (tick) => onEvent({ kind: 'tick', ...tick }),
    ...(tempo ? { tempoGapMs: TEMPO_GAP_MS } : {}),
  });
  const mappings = createMappings({
    log: kinesis,
    invoker,
    objectsAs: (functionName) => rights.objectsAs(functionName, buckets),
    storage,
    clock,
    chance: options.chance ?? Math.random,
    isFaithful: options.faithful ?? false,
    onEvent,
    measure,
  });
  const secrets = createSecrets(place);
  const alarms = createAlarms({
    clock,
    store,
    onChange: (change) => onEvent({ kind: 'alarm', ...change }),
  });
  return {
    kinesis,
    dynamodb,
    objects,
    secrets,
    logs,
    functions: invoker,
    events,
    scheduler,
    mappings,
    alarms,
    rights,
  };
}

/** Who makes what of a template. */
export function resourceMakers(parts: CloudParts): ResourceMakers {
  const {
    kinesis,
    dynamodb,
    objects,
    secrets,
    logs,
    functions,
    events,
    scheduler,
    mappings,
    alarms,
  } = parts;
  return {
    stream: kinesis.createStream,
    table: dynamodb.createTable,
    bucket: objects.buckets.createBucket,
    secret: secrets.createSecret,
    function(settings, roleArn) {
      functions.add(settings);
      logs.addFunction(settings.name);
      mappings.addFunction({ functionName: settings.name, functionArn: settings.arn, roleArn });
    },
    invokeConfig: events.configure,
    mapping: mappings.add,
    schedule: scheduler.add,
    alarm: alarms.add,
  };
}
