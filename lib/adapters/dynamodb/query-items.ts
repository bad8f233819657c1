/** All items of one partition of the state table; apart, so that no consumer's bundle holds it. */
import { QueryCommand } from '@aws-sdk/client-dynamodb';
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { toAwsError } from '#adapters/aws/aws-error';
import type { Item } from './state-item.ts';

/**
 * Read them in the order of their sort keys, as they stand.
 *
 * @param what names them in a sentence: `checkpoints`.
 * @throws {AwsError} when they cannot be read.
 */
export async function queryItems(
  client: DynamoDBClient,
  { tableName, pk, what }: { tableName: string; pk: string; what: string },
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
          ExpressionAttributeValues: { ':pk': { S: pk } },
          ConsistentRead: true,
          ...(next && { ExclusiveStartKey: next }),
        }),
      )
      .catch((error: unknown) => {
        throw toAwsError(`reading ${what} of the table ${tableName}`, error);
      });
    items.push(...(page.Items ?? []));
    next = page.LastEvaluatedKey;
  } while (next !== undefined);
  return items;
}
