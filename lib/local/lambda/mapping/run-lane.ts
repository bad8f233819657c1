/** Runs one lane of a shard from its place to the shard's end, or until the mapping stops. */
import type { ReadFrom } from '#local/contracts';
import { deliverBatch } from './deliver-batch.ts';
import type { DeliveryDeps, DeliveryRules } from './deliver-batch.ts';
import type { HeldRecord } from './kinesis-event.ts';
import type { LanePlace } from './lane-places.ts';
import type { LaneReader } from './read-lane.ts';

export interface Lane {
  /** Resolves when the lane has ended or stopped. */
  readonly run: Promise<void>;
  /** True while nothing is being delivered and nothing written waits. */
  isIdle(): boolean;
}

export interface LaneDeps extends Omit<DeliveryDeps, 'moveTo'> {
  savePlace(place: LanePlace): void;
}

export function runLane(reader: LaneReader, rules: DeliveryRules, deps: LaneDeps): Lane {
  const moveTo = (sequenceNumber: string): void => {
    const place: ReadFrom = { kind: 'after', sequenceNumber };
    deps.savePlace(place);
  };
  const run = async (): Promise<void> => {
    for (;;) {
      const gathered = await reader.gather();
      switch (gathered.kind) {
        case 'stopped':
          return;
        case 'ended':
          deps.savePlace({ kind: 'ended' });
          return;
        case 'too-large':
          discardTooLarge(gathered.records, deps, moveTo);
          break;
        case 'batch':
          await deliverBatch(gathered.records, rules, { ...deps, moveTo });
      }
    }
  };
  return { run: run(), isIdle: reader.isIdle };
}

/** @source Lambda developer guide, "large records": over the payload limit goes to the destination. */
function discardTooLarge(
  records: readonly HeldRecord[],
  deps: LaneDeps,
  moveTo: DeliveryDeps['moveTo'],
): void {
  deps.giveUp({
    records,
    condition: 'RecordTooLarge',
    detail: 'one record does not fit in an event',
    invokes: 0,
    requestId: undefined,
    functionError: undefined,
  });
  for (const { sequenceNumber } of records) moveTo(sequenceNumber);
}
