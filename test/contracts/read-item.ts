/** An item as the record it holds, read apart from what wrote it. */
import { GetItemCommand } from '@aws-sdk/client-dynamodb';
import type { AttributeValue, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { parseExact } from '#core/record/exact-json';
import type { JsonObject, JsonValue } from '#core/record/json';

export async function readItem(
  client: DynamoDBClient,
  tableName: string,
  key: string,
): Promise<Record<string, AttributeValue> | undefined> {
  const Key = { order_id: { S: key } };
  const { Item } = await client.send(
    new GetItemCommand({ TableName: tableName, Key, ConsistentRead: true }),
  );
  return Item;
}

/** The record's own members; undefined for a tombstone or nothing. */
export function recordIn(item: Record<string, AttributeValue> | undefined): JsonObject | undefined {
  if (item === undefined || item['_deleted']?.BOOL) return undefined;
  const members = Object.entries(item).filter(([name]) => !name.startsWith('_'));
  return Object.fromEntries(members.map(([name, value]) => [name, jsonOf(value)]));
}

function jsonOf(value: AttributeValue): JsonValue {
  if (value.NULL) return null;
  if (value.N !== undefined) return parseExact(value.N);
  if (value.L) return value.L.map(jsonOf);
  if (value.M) return Object.fromEntries(Object.entries(value.M).map(([k, v]) => [k, jsonOf(v)]));
  return value.S ?? value.BOOL ?? null;
}
