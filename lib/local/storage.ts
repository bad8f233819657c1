/** Opens the one database of the local cloud. */
import { DatabaseSync } from 'node:sqlite';
import type { Storage } from '#local/contracts';

/**
 * Open `file`, or a database in memory when there is none.
 *
 * A file survives the death of this process; the last moments before a power cut it may not.
 */
export function openStorage(file?: string): Storage {
  const storage = new DatabaseSync(file ?? ':memory:');
  storage.exec(
    'PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA busy_timeout = 2000',
  );
  return storage;
}

/** Do all of `work`, or, when it throws, nothing of it. */
export function inTransaction<T>(storage: Storage, work: () => T): T {
  if (storage.isTransaction) return work();
  storage.exec('BEGIN IMMEDIATE');
  try {
    const result = work();
    storage.exec('COMMIT');
    return result;
  } catch (error) {
    storage.exec('ROLLBACK');
    throw error;
  }
}
