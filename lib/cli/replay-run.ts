/** Runs a replay in the clouds that a connection leads to, and shows how far it is. */
import type { ReplayEnd, ReplayPorts } from '#pipeline/replay';
import type { ReplayPlace } from '#ports/replay-store';
import type { Connection } from './connection.ts';
import { INTERRUPTED, listenForInterrupt } from './interrupt.ts';
import type { Io } from './io.ts';
import { tallyLine } from './render/replay.ts';
import type { ReplayView } from './render/replay.ts';
import type { ReplayWords } from './replay-ask.ts';
import type { ReplayScope } from './replay-plan.ts';
import { showProgress } from './progress.ts';
import { replayStream } from './replay-stream.ts';
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

/** @param lost aborts when another has taken the replay up. */
export async function runReplay(
  job: ReplayJob & { readonly scope: ReplayScope; readonly places: readonly ReplayPlace[] },
  ports: Pick<ReplayPorts, 'call'> & Partial<Pick<ReplayPorts, 'move'>>,
  io: Io,
  lost?: AbortSignal,
): Promise<{ readonly end: ReplayEnd; readonly tally: ReplayTally }> {
  const { connection, stream, words, view, scope, places } = job;
  const { range, recordsPerSec } = view;
  const tally = tallyOf(job);
  const interrupt = listenForInterrupt(() => process.exit(INTERRUPTED));
  const progress = showProgress((nowMs) => tallyLine(tally.look(nowMs)), io);
  const signal = lost ? AbortSignal.any([interrupt.signal, lost]) : interrupt.signal;
  const bounds = { key: words.key, recordsMax: job.batchSize, recordsPerSec, signal };
  try {
    const end = await replayStream(
      connection,
      { stream, range, shards: scope.shards, places, ...bounds },
      {
        call: ports.call,
        async move(place) {
          await ports.move?.(place);
          if (place.ended) tally.end(place.shardId);
        },
        onSent: tally.add,
      },
    );
    return { end, tally: tally.look(Date.now()) };
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
