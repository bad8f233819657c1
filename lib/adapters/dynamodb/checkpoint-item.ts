/** A consumer's checkpoint of one shard, as the state table holds it: each reach in attributes of its own. */

/** Which attributes hold which reach, in the order that `list` answers. */
export const ATTRIBUTES = {
  frontier: {
    sequence: 'sequence',
    arrival: 'arrivalTimeMs',
    event: 'eventTimeMs',
    at: 'atMs',
    total: 'doneTotal',
  },
  'highest-finished': {
    sequence: 'highestSequence',
    arrival: 'highestArrivalTimeMs',
    event: 'highestEventTimeMs',
    at: 'highestAtMs',
    total: 'highestDoneTotal',
  },
} as const;

export const WHAT = 'a checkpoint';

/** Its breaker stands beside them. */
export function consumerPartition({
  pipeline,
  consumer,
}: {
  readonly pipeline: string;
  readonly consumer: string;
}): string {
  return `checkpoint#${pipeline}#${consumer}`;
}
