/** Where a consumer says it stands in each shard. */
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { dynamoCheckpointReader } from '#adapters/dynamodb/checkpoint-reader';
import type { Checkpoint } from '#ports/checkpoint-store';

export interface CheckpointAsk {
  readonly stateTable: string;
  readonly pipeline: string;
  readonly consumer: string;
}

/**
 * Read a checkpoint by shard: the frontier, or, where several batches of a shard run at once and
 * there is none, the highest record that is done.
 */
export async function readCheckpoints(
  client: DynamoDBClient,
  { stateTable, pipeline, consumer }: CheckpointAsk,
): Promise<ReadonlyMap<string, Checkpoint>> {
  const store = dynamoCheckpointReader(client, { tableName: stateTable });
  const places = new Map<string, Checkpoint>();
  for (const checkpoint of await store.list({ pipeline, consumer })) {
    const { shardId, reach } = checkpoint;
    if (reach === 'frontier' || !places.has(shardId)) places.set(shardId, checkpoint);
  }
  return places;
}
