/** Knows what was done of a shard before its number of lanes changed. */
import type { LogRecord } from '#local/contracts';
import { laneOfKey } from './lane-of-key.ts';
import type { LanePlace } from './lane-places.ts';

/** True: the lane that the record's key then had is past it. */
export function isPassed(record: LogRecord, places: readonly LanePlace[]): boolean {
  const place = places[laneOfKey(record.partitionKey, places.length)];
  if (place === undefined) return false;
  if (place.kind === 'ended') return true;
  if (place.kind === 'after' && BigInt(record.sequenceNumber) <= BigInt(place.sequenceNumber)) {
    return true;
  }
  return place.passed !== undefined && isPassed(record, place.passed);
}

/** True: nothing after this record was done before, so the places need not be kept. */
export function isBeyond(sequenceNumber: string, places: readonly LanePlace[]): boolean {
  return places.every(
    (place) =>
      place.kind !== 'ended' &&
      (place.kind !== 'after' || BigInt(place.sequenceNumber) <= BigInt(sequenceNumber)) &&
      (place.passed === undefined || isBeyond(sequenceNumber, place.passed)),
  );
}
