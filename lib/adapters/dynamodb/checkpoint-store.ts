/** CheckpointStore over the state table: one item a shard. */
import { ConditionalCheckFailedException, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { toAwsError } from '#adapters/aws/aws-error';
import { sortableSequence } from '#core/checkpoint/sortable-sequence';
import type { CheckpointStore } from '#ports/checkpoint-store';
import {
  ATTRIBUTES,
  assertReadable,
  ITEM_VERSION,
  number,
  partitionOf,
} from './checkpoint-item.ts';

export function dynamoCheckpointStore(
  client: DynamoDBClient,
  { tableName }: { tableName: string },
): CheckpointStore {
  return {
    async save(checkpoint) {
      const names = ATTRIBUTES[checkpoint.reach];
      try {
        await client.send(
          new UpdateItemCommand({
            TableName: tableName,
            Key: { pk: { S: partitionOf(checkpoint) }, sk: { S: checkpoint.shardId } },
            UpdateExpression: 'SET #v = :v, #sequence = :sequence, #arrival = :arrival, #at = :at',
            ConditionExpression:
              'attribute_not_exists(#v) OR ' +
              '(#v <= :v AND (attribute_not_exists(#sequence) OR #sequence < :sequence))',
            ExpressionAttributeNames: {
              '#v': 'v',
              '#sequence': names.sequence,
              '#arrival': names.arrival,
              '#at': names.at,
            },
            ExpressionAttributeValues: {
              ':v': number(ITEM_VERSION),
              ':sequence': { S: sortableSequence(checkpoint.sequenceNumber) },
              ':arrival': number(checkpoint.arrivalTimeMs),
              ':at': number(checkpoint.atMs),
            },
            ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
          }),
        );
      } catch (error) {
        if (!(error instanceof ConditionalCheckFailedException)) {
          throw toAwsError(`saving a checkpoint to the table ${tableName}`, error);
        }
        assertReadable(error.Item ?? {});
      }
    },
  };
}
