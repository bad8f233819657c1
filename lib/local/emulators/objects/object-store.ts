/** Buckets and objects in the cloud's database. */
import type { Clock, ObjectStore, Storage } from '#local/contracts';
import { expiredUntilMs } from './lifecycle.ts';
import type { ExpiryRule } from './lifecycle.ts';

export interface StoredObject {
  readonly body: Uint8Array;
  readonly contentType: string;
  readonly modifiedMs: number;
  /** What else comes back as it was put: metadata, encodings, checksums. */
  readonly headers?: Readonly<Record<string, string>>;
}

export interface ListedObject {
  readonly key: string;
  readonly byteCount: number;
  readonly etag: string;
  readonly modifiedMs: number;
}

export interface Buckets extends ObjectStore {
  /** Keeps the bucket that is there, and takes the new rules. */
  createBucket(name: string, expiry?: readonly ExpiryRule[]): void;
  hasBucket(name: string): boolean;
  expiryOf(bucket: string): readonly ExpiryRule[];
  write(bucket: string, key: string, object: StoredObject, etag: string): void;
  read(bucket: string, key: string): (StoredObject & { readonly etag: string }) | undefined;
  /** Keys after `after`, in the order of their UTF-8 bytes, at most `countMax` of them. */
  page(
    bucket: string,
    { prefix, after, countMax }: { prefix: string; after: string; countMax: number },
  ): readonly ListedObject[];
}

const TABLES = `
  CREATE TABLE IF NOT EXISTS buckets (name TEXT PRIMARY KEY) STRICT;
  CREATE TABLE IF NOT EXISTS objects (
    bucket TEXT NOT NULL, key TEXT NOT NULL, body BLOB NOT NULL, content_type TEXT NOT NULL,
    etag TEXT NOT NULL, modified_ms INTEGER NOT NULL, PRIMARY KEY (bucket, key)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS object_headers (
    bucket TEXT NOT NULL, key TEXT NOT NULL, headers TEXT NOT NULL, PRIMARY KEY (bucket, key)
  ) STRICT, WITHOUT ROWID;`;

/** Open the buckets of `storage`; `etagOf` names a body's content. */
export function openBuckets(
  storage: Storage,
  { clock, etagOf }: { clock: Clock; etagOf: (body: Uint8Array) => string },
): Buckets {
  storage.exec(TABLES);
  const addBucket = storage.prepare('INSERT OR IGNORE INTO buckets VALUES (?)');
  const findBucket = storage.prepare('SELECT 1 FROM buckets WHERE name = ?');
  const upsert = storage.prepare('INSERT OR REPLACE INTO objects VALUES (?, ?, ?, ?, ?, ?)');
  const putHeaders = storage.prepare('INSERT OR REPLACE INTO object_headers VALUES (?, ?, ?)');
  const select = storage.prepare(
    `SELECT * FROM objects LEFT JOIN object_headers USING (bucket, key)
     WHERE bucket = ? AND key = ?`,
  );
  const remove = storage.prepare('DELETE FROM objects WHERE bucket = ? AND key = ?');
  // The binary collation of UTF-8 text is the order that S3 lists in.
  const list = storage.prepare(
    `SELECT key, length(body) AS byte_count, etag, modified_ms FROM objects
     WHERE bucket = ? AND key > ? AND substr(key, 1, length(?)) = ? ORDER BY key LIMIT ?`,
  );
  const expire = storage.prepare(
    `DELETE FROM objects
     WHERE bucket = ? AND substr(key, 1, length(?)) = ? AND modified_ms <= ?`,
  );
  const rules = new Map<string, readonly ExpiryRule[]>();
  const dropExpired = (bucket: string): void => {
    for (const { prefix, days } of rules.get(bucket) ?? []) {
      expire.run(bucket, prefix, prefix, expiredUntilMs(clock.nowMs(), days));
    }
  };
  const buckets: Buckets = {
    createBucket(name, expiry = []) {
      addBucket.run(name);
      rules.set(name, expiry);
    },
    hasBucket: (name) => findBucket.get(name) !== undefined,
    expiryOf: (bucket) => rules.get(bucket) ?? [],
    write(bucket, key, { body, contentType, modifiedMs, headers = {} }, etag) {
      upsert.run(bucket, key, body, contentType, etag, modifiedMs);
      putHeaders.run(bucket, key, JSON.stringify(headers));
    },
    read(bucket, key) {
      dropExpired(bucket);
      const row = select.get(bucket, key);
      if (row === undefined) return undefined;
      return {
        body: row['body'] as Uint8Array,
        contentType: String(row['content_type']),
        etag: String(row['etag']),
        modifiedMs: Number(row['modified_ms']),
        headers: JSON.parse(String(row['headers'] ?? '{}')) as Record<string, string>,
      };
    },
    page(bucket, { prefix, after, countMax }) {
      dropExpired(bucket);
      return list.all(bucket, after, prefix, prefix, countMax).map((row) => ({
        key: String(row['key']),
        byteCount: Number(row['byte_count']),
        etag: String(row['etag']),
        modifiedMs: Number(row['modified_ms']),
      }));
    },
    put(bucket, key, body) {
      if (!buckets.hasBucket(bucket)) throw new Error(`There is no bucket ${bucket}.`);
      const contentType = 'application/octet-stream';
      buckets.write(bucket, key, { body, contentType, modifiedMs: clock.nowMs() }, etagOf(body));
    },
    get: (bucket, key) => buckets.read(bucket, key)?.body,
    list: (bucket, prefix) =>
      buckets
        .page(bucket, { prefix, after: '', countMax: Number.MAX_SAFE_INTEGER })
        .map(({ key }) => key),
    delete: (bucket, key) => void remove.run(bucket, key),
  };
  return buckets;
}
