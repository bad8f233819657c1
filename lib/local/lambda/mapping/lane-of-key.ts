/** Which of a shard's parallel lanes a partition key belongs to. */
import { createHash } from 'node:crypto';

/** Spreads keys over lanes; a key keeps its lane. Not the stream's hash, or a lane would be a range. */
export function laneOfKey(partitionKey: string, lanes: number): number {
  if (lanes === 1) return 0;
  return createHash('sha1').update(partitionKey).digest().readUInt32BE(0) % lanes;
}
