/** Where each lane of each shard resumes, over restarts: a mapping's own checkpoint. */
import type { ReadFrom, Storage } from '#local/contracts';
import { inTransaction } from '#local/storage';
import type { WindowState } from './tumbling-window.ts';

export type LanePlace =
  | (ReadFrom & {
      /** The tumbling window that is open there. */
      readonly window?: WindowState;
      /** The places of the lanes that the shard had before: what those have passed is done. */
      readonly passed?: readonly LanePlace[];
    })
  | { readonly kind: 'ended' };

export interface LanePlaces {
  /** True once any shard was opened: a starting position counts only before. */
  hasStarted(): boolean;
  /**
   * Says which creation of the stream the places are of; of another one, all are forgotten.
   *
   * @returns true when some were.
   */
  begin(creation: string): boolean;
  /**
   * Gives a shard this many lanes. One seen first begins at `start`; one that was read with
   * another number of lanes begins where the slowest of them was, and skips what others have done.
   */
  open(shardId: string, lanes: number, start: ReadFrom): void;
  /** One place a lane. */
  list(shardId: string): readonly LanePlace[];
  save(shardId: string, lane: number, place: LanePlace): void;
  /** True when every lane of the shard has ended. */
  isEnded(shardId: string): boolean;
  forget(): void;
}

const SCHEMA = `CREATE TABLE IF NOT EXISTS mapping_place (
    mapping TEXT NOT NULL, shard TEXT NOT NULL, lane INTEGER NOT NULL, place TEXT NOT NULL,
    PRIMARY KEY (mapping, shard, lane)) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS mapping_stream (
    mapping TEXT PRIMARY KEY, creation TEXT NOT NULL) WITHOUT ROWID`;

export function lanePlaces(storage: Storage, mappingUuid: string): LanePlaces {
  storage.exec(SCHEMA);
  const any = storage.prepare('SELECT 1 FROM mapping_place WHERE mapping = ? LIMIT 1');
  const list = storage.prepare(
    'SELECT place FROM mapping_place WHERE mapping = ? AND shard = ? ORDER BY lane',
  );
  const clear = storage.prepare('DELETE FROM mapping_place WHERE mapping = ? AND shard = ?');
  const put = storage.prepare('INSERT OR REPLACE INTO mapping_place VALUES (?, ?, ?, ?)');
  const creationOf = storage.prepare('SELECT creation FROM mapping_stream WHERE mapping = ?');
  const putCreation = storage.prepare('INSERT OR REPLACE INTO mapping_stream VALUES (?, ?)');

  const placesOf = (shardId: string): LanePlace[] =>
    list.all(mappingUuid, shardId).map(({ place }) => JSON.parse(String(place)) as LanePlace);
  const save = (shardId: string, lane: number, place: LanePlace): void => {
    put.run(mappingUuid, shardId, lane, JSON.stringify(place));
  };
  const forget = (): void => {
    for (const table of ['mapping_place', 'mapping_stream']) {
      storage.prepare(`DELETE FROM ${table} WHERE mapping = ?`).run(mappingUuid);
    }
  };

  return {
    hasStarted: () => any.get(mappingUuid) !== undefined,
    begin(creation) {
      const known = creationOf.get(mappingUuid)?.['creation'];
      if (known === creation) return false;
      inTransaction(storage, () => {
        forget();
        putCreation.run(mappingUuid, creation);
      });
      return known !== undefined;
    },
    open(shardId, lanes, start) {
      const known = placesOf(shardId);
      if (known.length === lanes) return;
      const places =
        known.length === 0 ? Array<LanePlace>(lanes).fill(start) : spread(known, lanes);
      inTransaction(storage, () => {
        clear.run(mappingUuid, shardId);
        places.forEach((place, lane) => save(shardId, lane, place));
      });
    },
    list: placesOf,
    save,
    isEnded(shardId) {
      const known = placesOf(shardId);
      return known.length > 0 && known.every(({ kind }) => kind === 'ended');
    },
    forget,
  };
}

/** Another number of lanes begins at the slowest place; a window that is open there has one lane. */
function spread(known: readonly LanePlace[], lanes: number): readonly LanePlace[] {
  const slowest = known.reduce(slower);
  if (slowest.kind === 'ended') return Array<LanePlace>(lanes).fill(slowest);
  const { window, ...from } = slowest;
  const isAlike = known.every((place) => JSON.stringify(place) === JSON.stringify(slowest));
  return Array.from({ length: lanes }, (_, lane) => ({
    ...from,
    ...(isAlike ? {} : { passed: known }),
    ...(lane === 0 && window !== undefined ? { window } : {}),
  }));
}

/** The earlier of two places of one shard: any start, then by sequence number, then its end. */
function slower(one: LanePlace, other: LanePlace): LanePlace {
  if (one.kind === 'ended') return other;
  if (other.kind === 'ended') return one;
  if (one.kind !== 'after') return one;
  if (other.kind !== 'after') return other;
  return BigInt(one.sequenceNumber) <= BigInt(other.sequenceNumber) ? one : other;
}
