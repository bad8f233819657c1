/** Deletes items whose time is over, some time after it is. */
import type { Clock } from '#local/contracts';
import { keyOfItem } from './keys.ts';
import type { ItemStore } from './item-store.ts';
import { maintainIndexes } from './secondary-index.ts';
import type { Table } from './table-store.ts';

/**
 * Items are looked after once a minute by the clock: until then, one whose time is over can be read.
 *
 * The service says "within a few days"; this is soon enough to be seen in a test, and late enough to
 * be missed by one who thinks that it happens at once.
 */
const SWEEP_SEC = 60;
/** Items that ended longer ago are left alone. @source DynamoDB developer guide, time to live. */
const AGE_SEC_MAX = 5 * 365 * 24 * 3_600;

/** Sweeps a table when a full minute has begun since it was swept; called before each use of it. */
export function createSweep(items: ItemStore, clock: Clock, sweptSec: Map<number, number>) {
  return (table: Table): void => {
    if (table.ttlAttribute === undefined) return;
    const nowSec = Math.floor(clock.nowMs() / 1_000);
    const untilSec = nowSec - (nowSec % SWEEP_SEC);
    if (sweptSec.get(table.row) === untilSec) return;
    for (const { item } of items.expired(table, { fromSec: untilSec - AGE_SEC_MAX, untilSec })) {
      const key = keyOfItem(table, item);
      items.delete(table, key);
      maintainIndexes(items, table, key, { old: item, fresh: undefined });
    }
    sweptSec.set(table.row, untilSec);
  };
}
