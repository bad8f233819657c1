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
    async save(checkpoint) {
      const { sequence, arrival, at } = ATTRIBUTES[checkpoint.reach];
      const key = { pk: { S: consumerPartition(checkpoint) }, sk: { S: checkpoint.shardId } };
      const place = { tableName, key, what: WHAT };
      const result = await changeItem(client, place, {
        update: `SET #v = :v, #${sequence} = :sequence, #${arrival} = :arrival, #${at} = :at`,
        condition:
          'attribute_not_exists(#v) OR ' +
          `(#v <= :v AND (attribute_not_exists(#${sequence}) OR #${sequence} < :sequence))`,
        values: {
          ':v': number(ITEM_VERSION),
          ':sequence': { S: sortableSequence(checkpoint.sequenceNumber) },
          ':arrival': number(checkpoint.arrivalTimeMs),
          ':at': number(checkpoint.atMs),
        },
      });
      if ('standing' in result) assertReadable(WHAT, result.standing);
    },
  };
}
