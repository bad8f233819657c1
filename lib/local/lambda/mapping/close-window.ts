/** The last invocation of a tumbling window: no records, and all of its state. */
import type { DeliveryDeps, DeliveryRules } from './deliver-batch.ts';
import { judgeAnswer } from './judge-answer.ts';
import type { Verdict } from './judge-answer.ts';
import { eventOf } from './kinesis-event.ts';
import { retryDelayMs } from './retry-delay.ts';
import { spanOf } from './span-of.ts';
import { windowMembers } from './tumbling-window.ts';
import type { WindowState } from './tumbling-window.ts';

type ClosingDeps = Omit<DeliveryDeps, 'moveTo' | 'giveUp' | 'countGone'> & {
  readonly source: { readonly shardId: string; readonly streamArn: string };
};

/**
 * Invoke until it succeeds: the shard waits, as there is no record that could be given up.
 *
 * @returns false when the mapping stopped before.
 * @source Lambda Developer Guide, "Implementing stateful Kinesis Data Streams processing in Lambda".
 */
export async function closeWindow(
  window: WindowState,
  ending: 'final' | 'early',
  { reportsItemFailures, pace }: Pick<DeliveryRules, 'reportsItemFailures' | 'pace'>,
  deps: ClosingDeps,
): Promise<boolean> {
  const payload = eventOf([], windowMembers(window, deps.source, ending));
  for (let stalls = 1; !deps.isStopped(); stalls++) {
    const verdict = await attempt(payload, reportsItemFailures, deps);
    if (verdict.kind === 'finished') {
      const isEarly = ending === 'early';
      deps.emit({ kind: 'window-closed', startMs: window.startMs, isEarly });
      return true;
    }
    const delayMs = retryDelayMs(stalls, pace, deps.chance);
    const { kind: reason, detail } = verdict;
    deps.emit({ kind: 'retry', ...spanOf([]), reason, detail, delayMs });
    await deps.sleep(delayMs);
  }
  return false;
}

async function attempt(
  payload: string,
  reportsItemFailures: boolean,
  deps: ClosingDeps,
): Promise<Verdict> {
  try {
    const result = await deps.invoke(payload);
    return judgeAnswer(result, [], { reportsItemFailures, needsState: true });
  } catch (error) {
    return { kind: 'throttled', detail: String(error) };
  }
}
