/** A mapping from a start to its stop. */
import type { FaultPlan, KinesisLog } from '#local/contracts';
import type { MappingDeps } from './create-kinesis-mapping.ts';
import { putAside } from './failure-destination.ts';
import { followShards } from './follow-shards.ts';
import type { Following } from './follow-shards.ts';
import type { EventSource, HeldRecord } from './kinesis-event.ts';
import type { LanePlace, LanePlaces } from './lane-places.ts';
import { laneProgress } from './lane-progress.ts';
import type { ShardEvent } from './mapping-event.ts';
import type { MappingSettings } from './mapping-settings.ts';
import { pauses } from './pause.ts';
import type { Pauses } from './pause.ts';
import { laneReader } from './read-lane.ts';
import type { LaneReaderSettings } from './read-lane.ts';
import { RETRY_PACE } from './retry-delay.ts';
import { runLane } from './run-lane.ts';
import type { Lane } from './run-lane.ts';
import { WINDOW_MEMBERS_BYTES_MAX } from './tumbling-window.ts';

export interface MappingSession {
  stop(): Promise<void>;
  isIdle(): boolean;
}

/** @source Lambda quotas, 2026-10: 6 MB a batch, base64 and envelope included. */
const PAYLOAD_BYTES_MAX = 6 * 1024 * 1024;
const RELIST_MS = 1000;

interface Run {
  readonly settings: MappingSettings;
  readonly deps: MappingDeps;
  readonly waits: Pauses;
  isStopped(): boolean;
}

/** `onReplaced` hears that the stream is another one than the places are of. */
export function openSession(
  settings: MappingSettings,
  deps: MappingDeps,
  { places, onReplaced }: { readonly places: LanePlaces; onReplaced(): void },
): MappingSession {
  const { clock, isFaithful = false } = deps;
  const { functionName, streamName } = settings;
  const waits = pauses(clock);
  let isStopped = false;
  let isNew = false;
  const listShards = guardedList(settings, deps.log, {
    onBegun(creation) {
      isNew = places.begin(creation);
    },
    onReplaced() {
      if (!isStopped) onReplaced();
    },
  });
  const run: Run = { settings, deps, waits, isStopped: () => isStopped };
  const following = followShards(
    {
      streamName,
      // Of a stream that was made again everything is new.
      startingPosition: () => (isNew ? { kind: 'trim-horizon' } : settings.startingPosition),
      lanes: settings.parallelizationFactor,
    },
    {
      log: { listShards, read: (...asked) => deps.log.read(...asked) },
      places,
      nowMs: clock.nowMs,
      isStopped: run.isStopped,
      startLanes: (shardId) =>
        places
          .list(shardId)
          .flatMap((place, lane) =>
            place.kind === 'ended' ? [] : [startLane(run, { shardId, lane, place }, places)],
          ),
      onShard: (shardId, kind) => deps.onEvent?.({ kind, functionName, shardId }),
    },
  );
  const discover = discoverer(following, run);
  const unsubscribe = deps.log.onWrite(streamName, () => {
    discover();
    if (!isFaithful) waits.wake();
  });
  discover();

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

/** A stream that is not there is asked for again: it may be made again. */
function discoverer(following: Following, { settings, deps, waits, isStopped }: Run): () => void {
  let isAsking = false;
  return function discover() {
    try {
      following.discover();
    } catch (error) {
      const { functionName } = settings;
      deps.onEvent?.({ kind: 'read-failed', functionName, shardId: '', message: String(error) });
      if (isAsking) return;
      isAsking = true;
      void waits.sleep(RELIST_MS).then(() => {
        isAsking = false;
        if (!isStopped()) discover();
      });
    }
  };
}

/** Lists the shards of the stream that the places are of; another one under its name is told of. */
function guardedList(
  { streamName }: MappingSettings,
  log: KinesisLog,
  told: { onBegun(creation: string): void; onReplaced(): void },
): KinesisLog['listShards'] {
  let begun: string | undefined;
  return (name) => {
    const creation = log.creationOf(streamName);
    if (begun !== undefined && begun !== creation) {
      told.onReplaced();
      return [];
    }
    if (begun === undefined) told.onBegun(creation);
    begun = creation;
    return log.listShards(name);
  };
}

interface LaneStart {
  readonly shardId: string;
  readonly lane: number;
  readonly place: Exclude<LanePlace, { kind: 'ended' }>;
}

function startLane(run: Run, { shardId, lane, place }: LaneStart, places: LanePlaces): Lane {
  const { settings, deps, waits, isStopped } = run;
  const { functionName, streamArn } = settings;
  const { clock, functionArn, newId, uuid, objects, queues, pace = RETRY_PACE } = deps;
  const emit = (event: ShardEvent): void => deps.onEvent?.({ ...event, functionName, shardId });
  const source = { streamArn, shardId, region: deps.region, roleArn: deps.roleArn };
  const progress = laneProgress(place, (changed) => places.save(shardId, lane, changed));
  const reader = laneReader(place, readerSettings(run, source, lane), {
    log: deps.log,
    clock,
    pauses: waits,
    isStopped,
    onReadFailed: (message) => emit({ kind: 'read-failed', message }),
    onPolled: (records, filtered) => emit({ kind: 'polled', records, filtered }),
    onPassed: progress.moveTo,
  });
  const failureSource = { mappingUuid: uuid, functionArn, streamArn, shardId, newId };
  const destination = { target: settings.failureTarget, objects, queues, clock };
  const onBatch = (): ReturnType<NonNullable<FaultPlan['onBatch']>> =>
    deps.faults?.onBatch?.(functionName, shardId);
  return runLane(
    reader,
    progress,
    { ...settings, pace },
    {
      clock,
      chance: deps.chance,
      source,
      invoke: (payload) => deps.invoker.invoke(functionName, payload),
      sleep: waits.sleep,
      isStopped,
      onBatch,
      countGone: goneCounter(run, shardId),
      giveUp: (giveUp) => putAside(giveUp, failureSource, destination, emit),
      emit,
    },
  );
}

/** Of a stream that cannot be asked, nothing is gone. */
function goneCounter(
  { settings, deps }: Run,
  shardId: string,
): (records: readonly HeldRecord[]) => number {
  return (records) => {
    try {
      const from = { kind: 'trim-horizon' } as const;
      const page = deps.log.read(settings.streamName, shardId, from, { records: 1, bytes: 1 });
      const [oldest] = page.records;
      if (oldest === undefined) return records.length;
      const first = BigInt(oldest.sequenceNumber);
      return records.filter(({ sequenceNumber }) => BigInt(sequenceNumber) < first).length;
    } catch {
      return 0;
    }
  };
}

function readerSettings(
  { settings, deps }: Run,
  source: EventSource,
  lane: number,
): LaneReaderSettings {
  const { tumblingWindowSec } = settings;
  const { payloadBytesMax = PAYLOAD_BYTES_MAX } = deps;
  return {
    streamName: settings.streamName,
    source,
    lane,
    lanes: settings.parallelizationFactor,
    limits: {
      recordsMax: settings.batchSize,
      payloadBytesMax: payloadBytesMax - (tumblingWindowSec > 0 ? WINDOW_MEMBERS_BYTES_MAX : 0),
    },
    batchingWindowMs: settings.batchingWindowSec * 1000,
    tumblingWindowSec,
    filter: settings.filter,
    isFaithful: deps.isFaithful ?? false,
  };
}
