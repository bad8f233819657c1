/** An item as the record it holds, read apart from what wrote it. */
import { GetItemCommand, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
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

/** When the item says that its key first came, and that it was last written. */
export function timesIn(item: Record<string, AttributeValue> | undefined): Times {
  return { firstSeen: item?.['_first_seen']?.S, updated: item?.['_updated']?.S };
}

export interface Times {
  readonly firstSeen: string | undefined;
  readonly updated: string | undefined;
}

/** Sets attributes as another program would, one that knows nothing of ours; a list becomes a set of texts. */
export async function writeBeside(
  client: DynamoDBClient,
  tableName: string,
  key: string,
  others: JsonObject,
): Promise<void> {
  const entries = Object.entries(others);
  await client.send(
    new UpdateItemCommand({
      TableName: tableName,
      Key: { order_id: { S: key } },
      UpdateExpression: `SET ${entries.map((_, at) => `#n${at} = :v${at}`).join(', ')}`,
      ExpressionAttributeNames: Object.fromEntries(entries.map(([name], at) => [`#n${at}`, name])),
      ExpressionAttributeValues: Object.fromEntries(
        entries.map(([, value], at) => [`:v${at}`, foreignValue(value)]),
      ),
    }),
  );
}

function foreignValue(value: JsonValue): AttributeValue {
  return Array.isArray(value) ? { SS: value.map(String) } : { S: String(value) };
}

/** The record's members, and what others wrote beside them; undefined for a tombstone or nothing. */
export function recordIn(item: Record<string, AttributeValue> | undefined): JsonObject | undefined {
  if (item === undefined || item['_deleted']?.BOOL) return undefined;
  const members = Object.entries(item).filter(([name]) => !name.startsWith('_'));
  return Object.fromEntries(members.map(([name, value]) => [name, jsonOf(value)]));
}

function jsonOf(value: AttributeValue): JsonValue {
  if (value.NULL) return null;
  if (value.N !== undefined) return parseExact(value.N);
  if (value.L) return value.L.map(jsonOf);
  if (value.SS) return value.SS.toSorted();
  if (value.M) return Object.fromEntries(Object.entries(value.M).map(([k, v]) => [k, jsonOf(v)]));
  return value.S ?? value.BOOL ?? null;
}
