/** Holds the stream and the table against the source itself. It shares no code with the poller. */
import assert from 'node:assert/strict';
import type { Row } from './server/row.ts';
import type { SourceRows } from './server/rows.ts';

export interface Found {
  /** Of each record in the stream, in its order: its key, and its members as JSON. */
  readonly published: readonly {
    readonly key: string;
    readonly text: string;
    readonly isDelete: boolean;
  }[];
  /** By key, the members that the table holds; what is deleted or unknown is not there. */
  readonly table: ReadonlyMap<string, string>;
  /** What is in quarantine, as text. */
  readonly setAside: readonly string[];
}

export interface Agreed {
  /** A row's contents tell which change they are. */
  readonly isNumbered: boolean;
  /** A listing shows every change. */
  readonly showsChanges: boolean;
  /** A second feed tells of deletes. */
  readonly hasFeed: boolean;
  /** Changes of a key are listed in their order. */
  readonly isInOrder: boolean;
}

/** @throws {AssertionError} when a law is broken. */
export function judge(rows: SourceRows, found: Found, agreed: Agreed): void {
  const { table, published, setAside } = found;
  const live = new Map<string, string>();
  for (const [key, row] of rows.newest()) {
    if (!row.isDeleted && !row.isPoison && !rows.vanished.has(key)) live.set(key, row.text);
  }
  for (const [key, text] of live)
    assert.equal(table.get(key), text, `law 1: the table holds ${key} as it is`);
  for (const key of table.keys()) {
    const isRight = live.has(key) || rows.vanished.has(key);
    assert.ok(isRight, `law 2: the table holds ${key}, which is gone`);
  }
  const poison = rows.history.filter(({ isPoison }) => isPoison).map(({ text }) => text);
  assert.deepEqual(
    new Set(setAside),
    new Set(poison),
    'law 3: what is no record is in quarantine, and nothing else',
  );
  const numbers = new Map(rows.history.map((row) => [row.text, row]));
  const seen = new Set<string>();
  const latest = new Map<string, Row>();
  for (const { key, text, isDelete } of published) {
    const row = numbers.get(text);
    // A delete that is inferred holds no more than a key.
    if (isDelete && row === undefined && rows.newest().has(key)) continue;
    // What another feed tells stands in no order with the rows.
    if (isDelete && agreed.hasFeed) continue;
    assert.equal(row?.key, key, `law 4: ${text} was published, which the source never showed`);
    if (row === undefined || seen.has(text) || !agreed.isNumbered || !agreed.isInOrder) continue;
    const before = latest.get(key);
    assert.ok(
      before === undefined || before.n < row.n,
      `law 5: ${key}: ${row.n} stands after ${before?.n}`,
    );
    latest.set(key, row);
    seen.add(text);
  }
  if (!agreed.showsChanges) return;
  const all = new Set(published.map(({ text }) => text));
  for (const row of rows.history) {
    if (!row.isPoison) assert.ok(all.has(row.text), `law 6: ${row.text} was published`);
  }
}
