/** Items written of late, kept as they were written: what is updated is mostly updated again. */
import type { ItemKey, StoredItem } from './item-store.ts';

export interface ItemPut {
  readonly place: number;
  readonly key: ItemKey;
  readonly stored: StoredItem;
  readonly expiresSec: number | undefined;
}

export interface RecentItems {
  get(place: number, key: ItemKey): StoredItem | undefined;
  put(put: ItemPut): void;
  delete(place: number, key: ItemKey): void;
  /** Stores what waits: to be called before the storage is read for more than one item. */
  flush(): void;
  /** Forgets everything, also what waits. */
  clear(): void;
}

export interface RecentOptions {
  /** So many puts wait to be stored together; of several of one item, the last is stored. */
  readonly waitingMax: number;
  readonly store: (put: ItemPut) => void;
}

const BYTES_MAX = 16 * 1024 * 1024;

/** Never holds what the storage does not, or will not: every write of it comes by here. */
export function createRecentItems({ waitingMax, store }: RecentOptions): RecentItems {
  const items = new Map<string, StoredItem>();
  const waiting = new Map<string, ItemPut>();
  let bytes = 0;
  const forget = (id: string): void => {
    bytes -= items.get(id)?.bytes ?? 0;
    items.delete(id);
  };
  const flush = (): void => {
    for (const put of waiting.values()) store(put);
    waiting.clear();
  };
  return {
    get: (place, key) => items.get(idOf(place, key)),
    put(put) {
      const id = idOf(put.place, put.key);
      forget(id);
      items.set(id, put.stored);
      bytes += put.stored.bytes;
      waiting.set(id, put);
      if (waiting.size >= waitingMax) flush();
      for (const oldest of items.keys()) {
        if (bytes <= BYTES_MAX) return;
        if (waiting.has(oldest)) flush();
        forget(oldest);
      }
    },
    delete(place, key) {
      const id = idOf(place, key);
      forget(id);
      waiting.delete(id);
    },
    flush,
    clear() {
      items.clear();
      waiting.clear();
      bytes = 0;
    },
  };
}

function idOf(place: number, { partition, sort, base }: ItemKey): string {
  return `${place} ${latin1(partition)} ${sort.length} ${latin1(sort)}${latin1(base)}`;
}

function latin1(bytes: Uint8Array): string {
  if (bytes.length === 0) return '';
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
}
