/** Reads every shard of a stream, parents before their children, for as long as a mapping runs. */
import type { KinesisLog, ReadFrom, ShardInfo } from '#local/contracts';
import type { LanePlaces } from './lane-places.ts';
import type { StartingPosition } from './mapping-settings.ts';
import type { Lane } from './run-lane.ts';

export interface FollowSettings {
  readonly streamName: string;
  startingPosition(): StartingPosition;
  /** Lanes a shard. */
  readonly lanes: number;
}

export interface FollowDeps {
  readonly log: Pick<KinesisLog, 'listShards' | 'read'>;
  readonly places: LanePlaces;
  nowMs(): number;
  isStopped(): boolean;
  /** Starts the lanes of a shard that have not ended. */
  startLanes(shardId: string): readonly Lane[];
  onShard(shardId: string, event: 'shard-started' | 'shard-ended'): void;
}

export interface Following {
  /** Opens what may be read and is not: after a reshard, after a parent's end. */
  discover(): void;
  isIdle(): boolean;
  /** Resolves when every lane has ended or stopped. */
  finished(): Promise<void>;
}

/** @source Kinesis API 2013-12-02, GetRecords. */
const READ_MAX = { records: 10_000, bytes: 10 * 1024 * 1024 };

/**
 * Follow the lineage: a shard is opened when each of its parents was read to the end, or is no
 * longer of the stream; so of one partition key, what came first is delivered first.
 */
export function followShards(settings: FollowSettings, deps: FollowDeps): Following {
  const { log, places } = deps;
  const { streamName, lanes } = settings;
  const running = new Map<string, { lanes: readonly Lane[]; finished: Promise<void> }>();
  const ended = new Set<string>();
  let hasPlaces: boolean | undefined;

  const isEnded = (shardId: string): boolean => {
    if (!ended.has(shardId) && places.isEnded(shardId)) ended.add(shardId);
    return ended.has(shardId);
  };

  const openShard = (shardId: string): void => {
    places.open(shardId, lanes, { kind: 'trim-horizon' });
    deps.onShard(shardId, 'shard-started');
    const started = deps.startLanes(shardId);
    const finished = Promise.all(started.map(({ run }) => run)).then(() => {
      running.delete(shardId);
      if (deps.isStopped()) return;
      deps.onShard(shardId, 'shard-ended');
      discover();
    });
    running.set(shardId, { lanes: started, finished });
  };

  const discover = (): void => {
    if (deps.isStopped()) return;
    const shards = log.listShards(streamName);
    hasPlaces ??= places.hasStarted();
    // The starting position is for the shards of the first start; later ones are read whole.
    if (!hasPlaces) {
      for (const { shardId } of shards) places.open(shardId, lanes, startOf(shardId));
      hasPlaces = shards.length > 0;
    }
    const listed = new Set(shards.map(({ shardId }) => shardId));
    for (const { shardId, parentShardIds } of shards) {
      if (running.has(shardId) || isEnded(shardId)) continue;
      if (parentShardIds.every((parent) => !listed.has(parent) || isEnded(parent))) {
        openShard(shardId);
      }
    }
  };

  const startOf = (shardId: ShardInfo['shardId']): ReadFrom => {
    const starting = settings.startingPosition();
    if (starting.kind !== 'latest') return starting;
    // A place after all that is written now: a plain LATEST would move on until it is first read.
    let place: ReadFrom = { kind: 'at-timestamp', timestampMs: deps.nowMs() };
    for (;;) {
      const last = log.read(streamName, shardId, place, READ_MAX).records.at(-1);
      if (last === undefined) return place;
      place = { kind: 'after', sequenceNumber: last.sequenceNumber };
    }
  };

  return {
    discover,
    isIdle: () =>
      [...running.values()].every((shard) => shard.lanes.every((lane) => lane.isIdle())),
    async finished() {
      await Promise.all([...running.values()].map((shard) => shard.finished));
    },
  };
}
