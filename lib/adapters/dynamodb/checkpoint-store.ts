/** CheckpointStore over the state table: one item a shard, each reach in attributes of its own. */
import {
  ConditionalCheckFailedException,
  QueryCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import type { AttributeValue, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { toAwsError } from '#adapters/aws/aws-error';
import { plainSequence, sortableSequence } from '#core/checkpoint/sortable-sequence';
import type { Checkpoint, CheckpointStore } from '#ports/checkpoint-store';

/** The form of item written here; a newer one is left alone. */
const ITEM_VERSION = 1;

/** Which attributes hold which reach, in the order that `list` answers. */
const ATTRIBUTES = {
  frontier: { sequence: 'sequence', arrival: 'arrivalTimeMs', at: 'atMs' },
  'highest-finished': {
    sequence: 'highestSequence',
    arrival: 'highestArrivalTimeMs',
    at: 'highestAtMs',
  },
} as const;

type Item = Record<string, AttributeValue>;
type Consumer = { readonly pipeline: string; readonly consumer: string };

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

    async list(consumer) {
      const items = await query(consumer);
      return items.flatMap((item) => checkpointsOf(item, consumer));
    },
  };

  async function query(consumer: Consumer): Promise<readonly Item[]> {
    const items: Item[] = [];
    let next: Item | undefined;
    do {
      const page = await client
        .send(
          new QueryCommand({
            TableName: tableName,
            KeyConditionExpression: '#pk = :pk',
            ExpressionAttributeNames: { '#pk': 'pk' },
            ExpressionAttributeValues: { ':pk': { S: partitionOf(consumer) } },
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

function partitionOf({ pipeline, consumer }: Consumer): string {
  return `checkpoint#${pipeline}#${consumer}`;
}

function checkpointsOf(item: Item, { pipeline, consumer }: Consumer): readonly Checkpoint[] {
  assertReadable(item);
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
      arrivalTimeMs: Number(item[names.arrival]?.N ?? 0),
      atMs: Number(item[names.at]?.N ?? 0),
    };
  });
}

/** @throws {Error} when a newer Penstock wrote the item. */
function assertReadable(item: Item): void {
  const version = Number(item['v']?.N ?? 0);
  if (version > ITEM_VERSION) {
    throw new Error(
      `a checkpoint has form ${version}, this Penstock reads up to ${ITEM_VERSION}: ` +
        'deploy the newer one',
    );
  }
}

function number(value: number): AttributeValue {
  return { N: String(value) };
}
