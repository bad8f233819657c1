/** Makes the emulators and what drives them, each with what it needs of the others; nothing runs yet. */
import type { CloudOptions } from './cloud-options.ts';
import type { Storage } from './contracts.ts';
import type { ResourceMakers } from './deploy-resources.ts';
import { createDynamoDb } from './emulators/dynamodb/dynamodb.ts';
import type { DynamoDb } from './emulators/dynamodb/dynamodb.ts';
import { createKinesis } from './emulators/kinesis/kinesis.ts';
import type { Kinesis } from './emulators/kinesis/kinesis.ts';
import { createObjects } from './emulators/objects/objects.ts';
import type { Objects } from './emulators/objects/objects.ts';
import { createScheduler } from './emulators/scheduler/scheduler.ts';
import type { Scheduler } from './emulators/scheduler/scheduler.ts';
import { createSecrets } from './emulators/secrets/secrets.ts';
import type { Secrets } from './emulators/secrets/secrets.ts';
import { createEventQueue } from './event-queue.ts';
import type { EventQueue } from './event-queue.ts';
import { createFunctions } from './lambda/functions/create-functions.ts';
import type { LocalFunctions } from './lambda/functions/create-functions.ts';
import { logEvent } from './log-event.ts';
import { createMappings } from './mappings.ts';
import type { Mappings } from './mappings.ts';
import { SYSTEM_CLOCK } from './system-clock.ts';
import { ACCOUNT_ID, REGION } from './template/arns.ts';

export interface CloudParts {
  readonly kinesis: Kinesis;
  readonly dynamodb: DynamoDb;
  readonly objects: Objects;
  readonly secrets: Secrets;
  readonly functions: LocalFunctions;
  readonly events: EventQueue;
  readonly scheduler: Scheduler;
  readonly mappings: Mappings;
}

/** From the end of a run to the next tick of a schedule that keeps no time. */
const TEMPO_GAP_MS = 200;

/** `endpoint` is asked whenever a function's process starts. */
export function createCloudParts(
  options: CloudOptions,
  { storage, endpoint }: { storage: Storage; endpoint: () => string },
): CloudParts {
  const { clock = SYSTEM_CLOCK, onEvent = () => undefined, tempo = false } = options;
  const { faults = {} } = options;
  const place = { storage, clock, region: REGION, accountId: ACCOUNT_ID };
  const kinesis = createKinesis({ ...place, faults });
  const dynamodb = createDynamoDb({ ...place, faults });
  const objects = createObjects(place);
  const invoker = createFunctions({
    region: REGION,
    // A function's process lives in real time, whatever the cloud's clock is.
    clock: SYSTEM_CLOCK,
    aws: () => ({
      AWS_ACCESS_KEY_ID: 'local',
      AWS_SECRET_ACCESS_KEY: 'local',
      AWS_ENDPOINT_URL: endpoint(),
    }),
    onLog: (line) => onEvent(logEvent(line)),
    onReport: (report) => onEvent({ kind: 'invocation', ...report }),
  });
  const { buckets } = objects;
  const events = createEventQueue({ invoker, clock, objects: buckets, tempo, onEvent });
  const scheduler = createScheduler({
    clock,
    deliver: events.accept,
    onTick: (tick) => onEvent({ kind: 'tick', ...tick }),
    ...(tempo ? { tempoGapMs: TEMPO_GAP_MS } : {}),
  });
  const mappings = createMappings({
    log: kinesis,
    invoker,
    objects: buckets,
    storage,
    clock,
    chance: options.chance ?? Math.random,
    isFaithful: options.faithful ?? false,
    onEvent,
  });
  const secrets = createSecrets(place);
  return { kinesis, dynamodb, objects, secrets, functions: invoker, events, scheduler, mappings };
}

/** Who makes what of a template. */
export function resourceMakers(parts: CloudParts): ResourceMakers {
  const { kinesis, dynamodb, objects, secrets, functions, events, scheduler, mappings } = parts;
  return {
    stream: kinesis.createStream,
    table: dynamodb.createTable,
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
}
