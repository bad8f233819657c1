/** Opens the one database of a local cloud: in memory, or in a folder that one cloud at a time has. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Storage } from './contracts.ts';

export interface CloudStorage {
  readonly storage: Storage;
  close(): void;
}

/**
 * Open `<keepDir>/cloud.sqlite`, or a database in memory.
 *
 * The lock is the operating system's, on the open file: it ends with the process, however it ends.
 * The process id beside it only tells who has it.
 *
 * @throws {Error} naming the process, when another cloud has the folder.
 */
export function openCloudStorage(keepDir?: string): CloudStorage {
  if (keepDir === undefined) {
    const storage = new DatabaseSync(':memory:');
    return { storage, close: () => storage.close() };
  }
  mkdirSync(keepDir, { recursive: true });
  const storage = new DatabaseSync(join(keepDir, 'cloud.sqlite'));
  const holder = join(keepDir, 'cloud.pid');
  try {
    storage.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL');
    storage.exec('PRAGMA synchronous = NORMAL; BEGIN EXCLUSIVE; COMMIT');
  } catch (cause) {
    storage.close();
    if (!/locked|busy/i.test(String(cause))) throw cause;
    throw new Error(
      `Another local cloud${processIn(holder)} has ${keepDir}: stop it, or keep this one elsewhere.`,
      { cause },
    );
  }
  writeFileSync(holder, String(process.pid));
  return {
    storage,
    close() {
      storage.close();
      rmSync(holder, { force: true });
    },
  };
}

function processIn(holder: string): string {
  try {
    return ` (process ${readFileSync(holder, 'utf8')})`;
  } catch {
    return '';
  }
}
