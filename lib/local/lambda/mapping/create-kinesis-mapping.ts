/** An event source mapping: the shards of one stream, in batches, to one function. */
import { createHash } from 'node:crypto';
import type {
  Chance,
  Clock,
  Invoker,
  KinesisLog,
  ObjectStore,
  ReadFrom,
  Storage,
} from '#local/contracts';
import { putAside } from './failure-destination.ts';
import { followShards } from './follow-shards.ts';
import { lanePlaces } from './lane-places.ts';
import type { LanePlaces } from './lane-places.ts';
import type { MappingEvent, ShardEvent } from './mapping-event.ts';
import type { MappingSettings } from './mapping-settings.ts';
import { pauses } from './pause.ts';
import { laneReader } from './read-lane.ts';
import { RETRY_PACE } from './retry-delay.ts';
import type { RetryPace } from './retry-delay.ts';
import { runLane } from './run-lane.ts';
import type { Lane } from './run-lane.ts';

/** @source Lambda quotas, 2026-10: 6 MB a batch, base64 and envelope included. */
const PAYLOAD_BYTES_MAX = 6 * 1024 * 1024;

export interface MappingDeps {
  readonly log: KinesisLog;
  readonly invoker: Invoker;
  readonly objects: ObjectStore;
  readonly storage: Storage;
  readonly clock: Clock;
  readonly chance: Chance;
  readonly region: string;
  readonly functionArn: string;
  /** The function's role, as `invokeIdentityArn` of each record. */
  readonly roleArn: string;
  onEvent?(event: MappingEvent): void;
  /** Poll once a second as AWS does, instead of being told of writes. */
  readonly isFaithful?: boolean;
  readonly pace?: RetryPace;
  /** Smaller than AWS's in tests. */
  readonly payloadBytesMax?: number;
}

export interface KinesisMapping {
  readonly uuid: string;
  /** Begins to read, unless the mapping is disabled. */
  start(): void;
  /** Stops where it is, waiting for invocations under way; what they finish is kept. */
  stop(): Promise<void>;
  /** Sets Enabled: false stops as `stop` does, true resumes from the saved places. */
  setEnabled(isEnabled: boolean): Promise<void>;
  /** True when everything written so far was finished or given up. */
  isIdle(): boolean;
}

/** The same mapping has the same id over restarts, and so finds its places again. */
export function mappingUuid(settings: MappingSettings): string {
  const text = `${settings.functionName}\n${settings.streamArn}`;
  const hex = createHash('sha256').update(text).digest('hex');
  return hex.slice(0, 32).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

/** Makes a mapping that rests until it is started. */
export function createKinesisMapping(settings: MappingSettings, deps: MappingDeps): KinesisMapping {
  const uuid = mappingUuid(settings);
  const places = lanePlaces(deps.storage, uuid);
  let session: Session | undefined;

  const start = (): void => {
    session ??= openSession(settings, deps, { uuid, places });
  };
  const stop = async (): Promise<void> => {
    const ending = session;
    session = undefined;
    await ending?.stop();
  };

  return {
    uuid,
    start() {
      if (settings.isEnabled) start();
    },
    stop,
    async setEnabled(isEnabled) {
      if (isEnabled) start();
      else await stop();
    },
    isIdle: () => session === undefined || session.isIdle(),
  };
}

interface Session {
  stop(): Promise<void>;
  isIdle(): boolean;
}

/** From a start to its stop. */
function openSession(
  settings: MappingSettings,
  deps: MappingDeps,
  { uuid, places }: { readonly uuid: string; readonly places: LanePlaces },
): Session {
  const { log, clock, isFaithful = false, pace = RETRY_PACE } = deps;
  const { functionName, streamArn, streamName, parallelizationFactor: lanes } = settings;
  const waits = pauses(clock);
  let isStopped = false;

  const startLane = (shardId: string, lane: number, from: ReadFrom): Lane => {
    const emit = (event: ShardEvent): void => deps.onEvent?.({ ...event, functionName, shardId });
    const reader = laneReader(
      from,
      {
        streamName,
        source: { streamArn, shardId, region: deps.region, roleArn: deps.roleArn },
        lane,
        lanes,
        limits: {
          recordsMax: settings.batchSize,
          payloadBytesMax: deps.payloadBytesMax ?? PAYLOAD_BYTES_MAX,
        },
        batchingWindowMs: settings.batchingWindowSec * 1000,
        isFaithful,
      },
      {
        log,
        clock,
        pauses: waits,
        isStopped: () => isStopped,
        onReadFailed: (message) => emit({ kind: 'read-failed', message }),
      },
    );
    const source = { mappingUuid: uuid, functionArn: deps.functionArn, streamArn, shardId };
    const destination = { bucket: settings.failureBucket, objects: deps.objects, clock };
    return runLane(
      reader,
      { ...settings, pace },
      {
        clock,
        chance: deps.chance,
        invoke: (payload) => deps.invoker.invoke(functionName, payload),
        sleep: waits.sleep,
        isStopped: () => isStopped,
        savePlace: (place) => places.save(shardId, lane, place),
        giveUp: (giveUp) => putAside(giveUp, source, destination, emit),
        emit,
      },
    );
  };

  const following = followShards(
    { streamName, startingPosition: settings.startingPosition, lanes },
    {
      log,
      places,
      nowMs: clock.nowMs,
      isStopped: () => isStopped,
      startLanes: (shardId) =>
        places
          .list(shardId)
          .flatMap((place, lane) =>
            place.kind === 'ended' ? [] : [startLane(shardId, lane, place)],
          ),
      onShard: (shardId, kind) => deps.onEvent?.({ kind, functionName, shardId }),
    },
  );
  const unsubscribe = log.onWrite(streamName, () => {
    following.discover();
    if (!isFaithful) waits.wake();
  });
  following.discover();

  return {
    async stop() {
      isStopped = true;
      unsubscribe();
      waits.cutShort();
      await following.finished();
    },
    isIdle: following.isIdle,
  };
}
