/** Runs one lane of a shard from its place to the shard's end, or until the mapping stops. */
import type { FaultPlan } from '#local/contracts';
import { closeWindow } from './close-window.ts';
import { deliverBatch } from './deliver-batch.ts';
import type { DeliveryDeps, DeliveryRules } from './deliver-batch.ts';
import type { HeldRecord } from './kinesis-event.ts';
import type { LaneProgress } from './lane-progress.ts';
import type { LaneReader } from './read-lane.ts';
import { isStateTooLarge, windowAt, windowMembers } from './tumbling-window.ts';
import type { WindowState } from './tumbling-window.ts';

export interface Lane {
  /** Resolves when the lane has ended or stopped. */
  readonly run: Promise<void>;
  /** True while nothing is being delivered and nothing written waits. */
  isIdle(): boolean;
}

export interface LaneRules extends DeliveryRules {
  /** 0: no windows. */
  readonly tumblingWindowSec: number;
}

export interface LaneDeps extends Omit<DeliveryDeps, 'moveTo'> {
  readonly source: { readonly shardId: string; readonly streamArn: string };
  /** Faults that were asked for. */
  onBatch(): ReturnType<NonNullable<FaultPlan['onBatch']>>;
}

/** How long a batch that is withheld waits before it is asked of again. */
const WITHHELD_MS = 1000;

export function runLane(
  reader: LaneReader,
  progress: LaneProgress,
  rules: LaneRules,
  deps: LaneDeps,
): Lane {
  const close = async (ending: 'final' | 'early'): Promise<void> => {
    const window = progress.window();
    if (window === undefined) return;
    if (await closeWindow(window, ending, rules, deps)) progress.closeWindow();
  };
  const run = async (): Promise<void> => {
    while (!deps.isStopped()) {
      const window = progress.window();
      if (window !== undefined && isStateTooLarge(window)) await close('early');
      // The mapping was changed to have no windows: what one has gathered is handed over first.
      else if (window !== undefined && rules.tumblingWindowSec === 0) await close('final');
      else if ((await step(window)) === 'over') return;
    }
  };
  const step = async (window: WindowState | undefined): Promise<'over' | 'more'> => {
    const gathered = await reader.gather(window);
    switch (gathered.kind) {
      case 'stopped':
        return 'over';
      case 'ended':
        progress.end();
        return 'over';
      case 'too-large':
        discardTooLarge(gathered.records, progress, deps);
        return 'more';
      case 'window-over':
        await close('final');
        return 'more';
      case 'batch':
        await handOver(gathered.records, progress, rules, deps);
        return 'more';
    }
  };
  return { run: run(), isIdle: reader.isIdle };
}

async function handOver(
  records: readonly HeldRecord[],
  progress: LaneProgress,
  rules: LaneRules,
  deps: LaneDeps,
): Promise<void> {
  let fault = deps.onBatch();
  while (fault === 'withhold' && !deps.isStopped()) {
    deps.emit({ kind: 'withheld', delayMs: WITHHELD_MS });
    await deps.sleep(WITHHELD_MS);
    fault = deps.onBatch();
  }
  const all = { ...deps, moveTo: progress.moveTo };
  const again = fault === 'again';
  if (rules.tumblingWindowSec === 0) return deliverBatch({ records, again }, rules, all);

  const first = records[0]?.arrivalTimeMs ?? deps.clock.nowMs();
  let window = progress.window() ?? windowAt(first, rules.tumblingWindowSec);
  progress.setWindow(window);
  const batchWindow = {
    members: () => windowMembers(window, deps.source),
    keep(state: string) {
      window = { ...window, state };
      progress.setWindow(window);
    },
  };
  await deliverBatch({ records, again, window: batchWindow }, rules, all);
}

/** @source Lambda developer guide, "large records": over the payload limit goes to the destination. */
function discardTooLarge(
  records: readonly HeldRecord[],
  progress: LaneProgress,
  deps: LaneDeps,
): void {
  deps.giveUp({
    records,
    condition: 'RecordTooLarge',
    detail: 'one record does not fit in an event',
    invokes: 0,
    requestId: undefined,
    functionError: undefined,
  });
  for (const { sequenceNumber } of records) progress.moveTo(sequenceNumber);
}
