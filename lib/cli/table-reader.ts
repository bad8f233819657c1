/** Reads tables whole, or one item. */
import { GetItemCommand, ScanCommand } from '@aws-sdk/client-dynamodb';
import type { AttributeValue, DynamoDBClient } from '@aws-sdk/client-dynamodb';

export type Item = Readonly<Record<string, AttributeValue>>;

/** Read every item, consistently. */
export async function scanAll(client: DynamoDBClient, table: string): Promise<Item[]> {
  const items: Item[] = [];
  let from: Record<string, AttributeValue> | undefined;
  do {
    const answer = await client.send(
      new ScanCommand({ TableName: table, ConsistentRead: true, ExclusiveStartKey: from }),
    );
    items.push(...(answer.Items ?? []));
    from = answer.LastEvaluatedKey;
  } while (from !== undefined);
  return items;
}

/** Count every item, consistently. */
export async function countAll(client: DynamoDBClient, table: string): Promise<number> {
  let count = 0;
  let from: Record<string, AttributeValue> | undefined;
  do {
    const answer = await client.send(
      new ScanCommand({
        TableName: table,
        ConsistentRead: true,
        Select: 'COUNT',
        ExclusiveStartKey: from,
      }),
    );
    count += answer.Count ?? 0;
    from = answer.LastEvaluatedKey;
  } while (from !== undefined);
  return count;
}

/** Whether there is any item at all. */
export async function hasItems(client: DynamoDBClient, table: string): Promise<boolean> {
  const ask = { TableName: table, ConsistentRead: true, Select: 'COUNT', Limit: 1 } as const;
  const { Count: count = 0 } = await client.send(new ScanCommand(ask));
  return count > 0;
}

/** @param key each part's text by its attribute's name. */
export async function getOne(
  client: DynamoDBClient,
  { table, key }: { readonly table: string; readonly key: Readonly<Record<string, string>> },
): Promise<Item | undefined> {
  const parts = Object.entries(key).map(([name, text]) => [name, { S: text }] as const);
  const answer = await client.send(
    new GetItemCommand({ TableName: table, Key: Object.fromEntries(parts), ConsistentRead: true }),
  );
  return answer.Item;
}
