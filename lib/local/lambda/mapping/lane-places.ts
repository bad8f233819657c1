/** Where each lane of each shard resumes, over restarts: a mapping's own checkpoint. */
import type { ReadFrom, Storage } from '#local/contracts';

export type LanePlace = ReadFrom | { readonly kind: 'ended' };

export interface LanePlaces {
  /** True once any shard was opened: a starting position counts only before. */
  hasStarted(): boolean;
  /**
   * Gives a shard this many lanes. One seen first begins at `start`; one that was read with
   * another number of lanes begins where the slowest of them was.
   */
  open(shardId: string, lanes: number, start: ReadFrom): void;
  /** One place a lane. */
  list(shardId: string): readonly LanePlace[];
  save(shardId: string, lane: number, place: LanePlace): void;
  /** True when every lane of the shard has ended. */
  isEnded(shardId: string): boolean;
}

export function lanePlaces(storage: Storage, mappingUuid: string): LanePlaces {
  storage.exec(`CREATE TABLE IF NOT EXISTS mapping_place (
    mapping TEXT NOT NULL, shard TEXT NOT NULL, lane INTEGER NOT NULL, place TEXT NOT NULL,
    PRIMARY KEY (mapping, shard, lane)) WITHOUT ROWID`);
  const any = storage.prepare('SELECT 1 FROM mapping_place WHERE mapping = ? LIMIT 1');
  const list = storage.prepare(
    'SELECT place FROM mapping_place WHERE mapping = ? AND shard = ? ORDER BY lane',
  );
  const clear = storage.prepare('DELETE FROM mapping_place WHERE mapping = ? AND shard = ?');
  const put = storage.prepare('INSERT OR REPLACE INTO mapping_place VALUES (?, ?, ?, ?)');

  const placesOf = (shardId: string): LanePlace[] =>
    list.all(mappingUuid, shardId).map(({ place }) => JSON.parse(String(place)) as LanePlace);
  const save = (shardId: string, lane: number, place: LanePlace): void => {
    put.run(mappingUuid, shardId, lane, JSON.stringify(place));
  };

  return {
    hasStarted: () => any.get(mappingUuid) !== undefined,
    open(shardId, lanes, start) {
      const known = placesOf(shardId);
      if (known.length === lanes) return;
      const from = known.length === 0 ? start : known.reduce(slower);
      clear.run(mappingUuid, shardId);
      for (let lane = 0; lane < lanes; lane++) save(shardId, lane, from);
    },
    list: placesOf,
    save,
    isEnded(shardId) {
      const known = placesOf(shardId);
      return known.length > 0 && known.every(({ kind }) => kind === 'ended');
    },
  };
}

/** The earlier of two places of one shard: any start, then by sequence number, then its end. */
function slower(one: LanePlace, other: LanePlace): LanePlace {
  if (one.kind === 'ended') return other;
  if (other.kind === 'ended') return one;
  if (one.kind !== 'after') return one;
  if (other.kind !== 'after') return other;
  return BigInt(one.sequenceNumber) <= BigInt(other.sequenceNumber) ? one : other;
}
