/** Replays a stream over the connection that leads to it. */
import { systemClock as clock } from '#adapters/system/clock';
import { CALL_BYTES_MAX } from '#core/batch/cut-calls';
import type { ReplayShard } from '#core/partition/plan-replay';
import { replay } from '#pipeline/replay';
import type { ReplayEnd, ReplayOptions, ReplayPorts } from '#pipeline/replay';
import type { ReplayPlace } from '#ports/replay-store';
import type { Connection } from './connection.ts';
import { kinesisShardReader } from './kinesis-shard-reader.ts';
import type { ReplayRange } from './replay-ask.ts';

/** Shards that are read at once: each holds a page in memory. */
const LANES = 8;
/** With pauses of 1, 2, 4 … seconds between: half a minute without any progress. */
const TRIES_MAX = 6;

export interface StreamReplay extends Pick<
  ReplayOptions,
  'key' | 'recordsMax' | 'recordsPerSec' | 'signal'
> {
  readonly stream: string;
  readonly range: ReplayRange;
  readonly shards: readonly ReplayShard[];
  /** Done before, by a run that was ended. */
  readonly places: readonly ReplayPlace[];
}

export function replayStream(
  { kinesis }: Pick<Connection, 'kinesis'>,
  { stream, range: { from, end }, shards, places, ...ask }: StreamReplay,
  ports: Pick<ReplayPorts, 'call' | 'move' | 'onSent'>,
): Promise<ReplayEnd> {
  const before = new Map(places.map((place) => [place.shardId, place]));
  return replay(
    {
      ...ask,
      shards: shards.map((shard) => ({ ...shard, from, before: before.get(shard.shardId) })),
      end,
      lanes: LANES,
      bytesMax: CALL_BYTES_MAX,
      triesMax: TRIES_MAX,
    },
    { ...ports, reader: kinesisShardReader(kinesis, stream), clock },
  );
}
