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
import { createQueues } from './emulators/queues/queues.ts';
import type { Queues } from './emulators/queues/queues.ts';
import { createScheduler } from './emulators/scheduler/scheduler.ts';
import type { Scheduler } from './emulators/scheduler/scheduler.ts';
import { createSecrets } from './emulators/secrets/secrets.ts';
import type { Secrets } from './emulators/secrets/secrets.ts';
import { createEventQueue } from './event-queue.ts';
import type { EventQueue } from './event-queue.ts';
import type { CloudFaults } from './faults/cloud-faults.ts';
import type { Rights } from './iam/rights.ts';
import { cloudFetch } from './kit/cloud-fetch.ts';
import type { CloudSeed } from './kit/cloud-seed.ts';
import { createFunctions } from './lambda/functions/create-functions.ts';
import type { LocalFunctions } from './lambda/functions/create-functions.ts';
import { inProcessFunctions } from './lambda/functions/in-process-functions.ts';
import type { InProcessFunctions } from './lambda/functions/in-process-functions.ts';
import { logEvent } from './log-event.ts';
import { createMappings } from './mappings.ts';
import type { Mappings } from './mappings.ts';
import { ofInvocation, ofThrottle } from './metrics/lambda-measurements.ts';
import { createMetricStore } from './metrics/metric-store.ts';
import { readEmf } from './metrics/read-emf.ts';
import type { Router } from './router.ts';
import { SYSTEM_CLOCK } from './system-clock.ts';
import { ACCOUNT_ID, REGION } from './template/arns.ts';

export interface CloudParts {
  readonly kinesis: Kinesis;
  readonly dynamodb: DynamoDb;
  readonly objects: Objects;
  readonly secrets: Secrets;
  readonly queues: Queues;
  readonly logs: Logs;
  readonly functions: LocalFunctions;
  readonly inProcess: InProcessFunctions;
  readonly events: EventQueue;
  readonly scheduler: Scheduler;
  readonly mappings: Mappings;
  readonly alarms: Alarms;
  readonly rights: Rights;
}

/** From the end of a run to the next tick of a schedule that keeps no time. */
const TEMPO_GAP_MS = 200;

/** What the parts stand in, and what of the cloud is made later. */
export interface CloudSurroundings {
  readonly storage: Storage;
  readonly rights: Rights;
  readonly faults: CloudFaults;
  readonly seed: CloudSeed;
  /** Asked whenever a function's process starts. */
  readonly endpoint: () => string;
  /** The way to the parts, for functions in this process. */
  readonly route: Router;
}

export function createCloudParts(
  options: CloudOptions,
  { storage, rights, ...surroundings }: CloudSurroundings,
): CloudParts {
  const { clock = SYSTEM_CLOCK, onEvent = () => undefined, tempo = false } = options;
  const { seed, route, endpoint } = surroundings;
  const { newId } = seed;
  const { plan: faults } = surroundings.faults;
  const place = { storage, clock, region: REGION, accountId: ACCOUNT_ID, newId };
  const store = createMetricStore(clock);
  const { measure } = store;
  const kinesis = createKinesis({ ...place, faults, measure });
  const dynamodb = createDynamoDb({ ...place, faults });
  const objects = createObjects(place);
  const queues = createQueues({ ...place, endpoint });
  const logs = createLogs({ clock, newId });
  const inProcess = inProcessFunctions(
    options.handlers ?? {},
    { clock, faults, fetch: cloudFetch(endpoint, route), seeded: seed.handlers },
    { hasPort: options.port !== false },
  );
  const invoker = createFunctions({
    region: REGION,
    // A function's process lives in real time, whatever the cloud's clock is.
    clock: SYSTEM_CLOCK,
    newId,
    poolOf: inProcess.poolOf,
    faults,
    aws: (functionName) => ({
      ...rights.credentialsOf(functionName),
      AWS_ENDPOINT_URL: endpoint(),
    }),
    onLog(line) {
      if (!rights.mayLog(line.functionName)) return;
      logs.write(line);
      if (line.isPlatform === true) return;
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
    queuesAs: (functionName) => rights.queuesAs(functionName, queues),
    tempo: tempo !== false,
    onEvent,
    measure,
    newId,
  });
  const scheduler = createScheduler({
    clock,
    deliver: events.accept,
    faults: {
      onTick: (schedule) => (rights.mayTick(schedule) ? faults.onTick?.(schedule) : 'drop'),
    },
    measure,
    newId,
    queues,
    onDefect: (error) => onEvent({ kind: 'defect', error }),
    onTick: (tick) => onEvent({ kind: 'tick', ...tick }),
    tempoGapMs: (name) =>
      tempo === true || (tempo !== false && tempo.includes(name)) ? TEMPO_GAP_MS : undefined,
  });
  const mappings = createMappings({
    log: kinesis,
    invoker,
    objectsAs: (functionName) => rights.objectsAs(functionName, buckets),
    queuesAs: (functionName) => rights.queuesAs(functionName, queues),
    refusalOf: rights.mappingRefusal,
    faults,
    storage,
    clock,
    chance: seed.chance,
    newId,
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
    queues,
    logs,
    functions: invoker,
    inProcess,
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
    queues,
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
      functions.add({ ...settings, environment: queues.withLocalUrls(settings.environment) });
      logs.addFunction(settings.name);
      mappings.addFunction({ functionName: settings.name, functionArn: settings.arn, roleArn });
    },
    queue: queues.createQueue,
    invokeConfig: events.configure,
    deadLetters: events.keepDeadLetters,
    mapping: mappings.add,
    schedule: scheduler.add,
    alarm: alarms.add,
  };
}
