/** Items written of late, kept as they were written: what is updated is mostly updated again. */
import type { ItemKey, StoredItem } from './item-store.ts';

export interface RecentItems {
  get(place: number, key: ItemKey): StoredItem | undefined;
  put(place: number, key: ItemKey, stored: StoredItem): void;
  delete(place: number, key: ItemKey): void;
  clear(): void;
}

const BYTES_MAX = 16 * 1024 * 1024;

/** Never holds what the storage does not: every write of it comes by here. */
export function createRecentItems(): RecentItems {
  const items = new Map<string, StoredItem>();
  let bytes = 0;
  const forget = (id: string): void => {
    bytes -= items.get(id)?.bytes ?? 0;
    items.delete(id);
  };
  return {
    get: (place, key) => items.get(idOf(place, key)),
    put(place, key, stored) {
      const id = idOf(place, key);
      forget(id);
      items.set(id, stored);
      bytes += stored.bytes;
      for (const oldest of items.keys()) {
        if (bytes <= BYTES_MAX) return;
        forget(oldest);
      }
    },
    delete: (place, key) => forget(idOf(place, key)),
    clear() {
      items.clear();
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
