/** Runs a replay in the clouds that a connection leads to, and shows how far it is. */
import { systemClock } from '#adapters/system/clock';
import { CALL_BYTES_MAX } from '#core/batch/cut-calls';
import { replay } from '#pipeline/replay';
import type { ReplayEnd, ReplayPorts } from '#pipeline/replay';
import type { ReplayPlace } from '#ports/replay-store';
import type { Connection } from './connection.ts';
import { INTERRUPTED, listenForInterrupt } from './interrupt.ts';
import type { Io } from './io.ts';
import { kinesisShardReader } from './kinesis-shard-reader.ts';
import type { ReplayView } from './render/replay.ts';
import type { ReplayWords } from './replay-ask.ts';
import type { ReplayScope } from './replay-plan.ts';
import { showProgress } from './replay-progress.ts';
import { replayTally } from './replay-tally.ts';
import type { ReplayTally } from './replay-tally.ts';

/** One replay, ready to be begun or counted. */
export interface ReplayJob {
  readonly connection: Connection;
  readonly stage: string;
  readonly stream: string;
  readonly words: ReplayWords;
  readonly view: ReplayView;
  readonly batchSize: number;
}

/** Shards that are read at once: each holds a page in memory. */
const LANES = 8;
/** With pauses of 1, 2, 4 … seconds between: half a minute without any progress. */
const TRIES_MAX = 6;

/** @param lost aborts when another has taken the replay up. */
export async function runReplay(
  job: ReplayJob & { readonly scope: ReplayScope; readonly places: readonly ReplayPlace[] },
  ports: Pick<ReplayPorts, 'call'> & Partial<Pick<ReplayPorts, 'move'>>,
  io: Io,
  lost?: AbortSignal,
): Promise<{ readonly end: ReplayEnd; readonly tally: ReplayTally }> {
  const { connection, stream, words, view, scope, places } = job;
  const { from, end } = view.range;
  const before = new Map(places.map((place) => [place.shardId, place]));
  const tally = tallyOf(job);
  const interrupt = listenForInterrupt(() => process.exit(INTERRUPTED));
  const progress = showProgress(tally, io);
  const options = {
    shards: scope.shards.map((shard) => ({ ...shard, from, before: before.get(shard.shardId) })),
    end,
    key: words.key,
    lanes: LANES,
    recordsMax: job.batchSize,
    bytesMax: CALL_BYTES_MAX,
    triesMax: TRIES_MAX,
    recordsPerSec: view.recordsPerSec,
    signal: lost ? AbortSignal.any([interrupt.signal, lost]) : interrupt.signal,
  };
  try {
    const ended = await replay(options, {
      reader: kinesisShardReader(connection.kinesis, stream),
      clock: systemClock,
      call: ports.call,
      async move(place) {
        await ports.move?.(place);
        if (place.ended) tally.end(place.shardId);
      },
      onSent: tally.add,
    });
    return { end: ended, tally: tally.look(Date.now()) };
  } finally {
    progress.stop();
    interrupt.release();
  }
}

function tallyOf({ scope, places, view }: Parameters<typeof runReplay>[0]) {
  const startedMs = Date.now();
  const { end } = view.range;
  return replayTally({
    shards: scope.shards.length,
    endedBefore: places.filter(({ ended }) => ended).length,
    startedMs,
    untilMs: end.kind === 'time' ? Math.min(end.untilMs, startedMs) : startedMs,
  });
}
