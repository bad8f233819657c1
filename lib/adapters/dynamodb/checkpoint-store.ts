/** CheckpointStore over the state table: one item a shard. */
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { sortableSequence } from '#core/checkpoint/sortable-sequence';
import type { CheckpointStore } from '#ports/checkpoint-store';
import { ATTRIBUTES, consumerPartition, WHAT } from './checkpoint-item.ts';
import { assertReadable, changeItem, ITEM_VERSION, number } from './state-item.ts';

export function dynamoCheckpointStore(
  client: DynamoDBClient,
  { tableName }: { tableName: string },
): CheckpointStore {
  return {
    async save(place, done) {
      const { sequence, arrival, event, at, total } = ATTRIBUTES[place.reach];
      const key = { pk: { S: consumerPartition(place) }, sk: { S: place.shardId } };
      const { eventTimeMs } = place;
      const count = `ADD #${total} :done`;
      const known = { ':v': number(ITEM_VERSION), ':done': number(done) };
      const item = { tableName, key, what: WHAT };
      const result = await changeItem(client, item, {
        update:
          `SET #v = :v, #${sequence} = :sequence, #${arrival} = :arrival, #${at} = :at` +
          (eventTimeMs === undefined ? ` REMOVE #${event} ` : `, #${event} = :event `) +
          count,
        condition:
          'attribute_not_exists(#v) OR ' +
          `(#v <= :v AND (attribute_not_exists(#${sequence}) OR #${sequence} < :sequence))`,
        values: {
          ...known,
          ':sequence': { S: sortableSequence(place.sequenceNumber) },
          ':arrival': number(place.arrivalTimeMs),
          ...(eventTimeMs !== undefined && { ':event': number(eventTimeMs) }),
          ':at': number(place.atMs),
        },
      });
      if (!('standing' in result)) return;
      assertReadable(WHAT, result.standing);
      // Beside others, a batch may end after one that stands behind it in the shard.
      if (place.reach === 'frontier') return;
      await changeItem(client, item, { update: count, condition: '#v <= :v', values: known });
    },
  };
}
