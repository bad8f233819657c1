/** CheckpointReader over the state table; apart from the store, so that no consumer's bundle holds it. */
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { plainSequence } from '#core/checkpoint/sortable-sequence';
import type { Checkpoint, CheckpointReader } from '#ports/checkpoint-store';
import { ATTRIBUTES, consumerPartition, WHAT } from './checkpoint-item.ts';
import { queryItems } from './query-items.ts';
import { assertReadable, readNumber, readNumberIfAny } from './state-item.ts';
import type { Item } from './state-item.ts';

export function dynamoCheckpointReader(
  client: DynamoDBClient,
  { tableName }: { tableName: string },
): CheckpointReader {
  return {
    async list(consumer) {
      const items = await queryItems(client, {
        tableName,
        pk: consumerPartition(consumer),
        what: 'checkpoints',
      });
      return items.flatMap((item) => checkpointsOf(item, consumer));
    },
  };
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
    const eventTimeMs = readNumberIfAny(item, names.event);
    return {
      pipeline,
      consumer,
      shardId: item['sk']?.S ?? '',
      reach,
      sequenceNumber: plainSequence(sequence),
      arrivalTimeMs: readNumber(item, names.arrival),
      ...(eventTimeMs === undefined ? {} : { eventTimeMs }),
      atMs: readNumber(item, names.at),
      doneTotal: readNumber(item, names.total),
    };
  });
}
