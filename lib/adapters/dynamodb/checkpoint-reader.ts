/** CheckpointReader over the state table; apart from the store, so that no consumer's bundle holds it. */
import { QueryCommand } from '@aws-sdk/client-dynamodb';
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { toAwsError } from '#adapters/aws/aws-error';
import { plainSequence } from '#core/checkpoint/sortable-sequence';
import type { Checkpoint, CheckpointReader } from '#ports/checkpoint-store';
import { ATTRIBUTES, consumerPartition, WHAT } from './checkpoint-item.ts';
import { assertReadable, readNumber } from './state-item.ts';
import type { Item } from './state-item.ts';

export function dynamoCheckpointReader(
  client: DynamoDBClient,
  { tableName }: { tableName: string },
): CheckpointReader {
  return {
    async list(consumer) {
      const items = await query(consumer);
      return items.flatMap((item) => checkpointsOf(item, consumer));
    },
  };

  async function query(
    consumer: Pick<Checkpoint, 'pipeline' | 'consumer'>,
  ): Promise<readonly Item[]> {
    const items: Item[] = [];
    let next: Item | undefined;
    do {
      const page = await client
        .send(
          new QueryCommand({
            TableName: tableName,
            KeyConditionExpression: '#pk = :pk',
            ExpressionAttributeNames: { '#pk': 'pk' },
            ExpressionAttributeValues: { ':pk': { S: consumerPartition(consumer) } },
            ConsistentRead: true,
            ...(next && { ExclusiveStartKey: next }),
          }),
        )
        .catch((error: unknown) => {
          throw toAwsError(`reading checkpoints of the table ${tableName}`, error);
        });
      items.push(...(page.Items ?? []));
      next = page.LastEvaluatedKey;
    } while (next !== undefined);
    return items;
  }
}

function checkpointsOf(
  item: Item,
  { pipeline, consumer }: Pick<Checkpoint, 'pipeline' | 'consumer'>,
): readonly Checkpoint[] {
  assertReadable(WHAT, item);
  const reaches = Object.keys(ATTRIBUTES) as (keyof typeof ATTRIBUTES)[];
  return reaches.flatMap((reach) => {
    const names = ATTRIBUTES[reach];
    const sequence = item[names.sequence]?.S;
    if (sequence === undefined) return [];
    return {
      pipeline,
      consumer,
      shardId: item['sk']?.S ?? '',
      reach,
      sequenceNumber: plainSequence(sequence),
      arrivalTimeMs: readNumber(item, names.arrival),
      atMs: readNumber(item, names.at),
    };
  });
}
