/** An item of the state table: how it is changed, and how its numbers are read. */
import {
  ConditionalCheckFailedException,
  GetItemCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import type { AttributeValue, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { toAwsError } from '#adapters/aws/aws-error';

/** The form of the items written here; a newer one is left alone. */
export const ITEM_VERSION = 1;

export type Item = Record<string, AttributeValue>;

export interface ItemPlace {
  readonly tableName: string;
  readonly key: Item;
  /** Names it in a sentence: `the state of orders`. */
  readonly what: string;
}

export interface ItemChange {
  /** A whole update expression; every name goes by its alias, as `#epoch`. */
  readonly update: string;
  readonly condition: string;
  readonly values: Item;
}

/** The item after the change, or the one that stood in its way. */
export type ItemChanged = { readonly written: Item } | { readonly standing: Item };

/**
 * The item as it stands, if there is one.
 *
 * @throws {AwsError} when it cannot be read.
 */
export async function readItem(
  client: DynamoDBClient,
  { tableName: TableName, key: Key, what }: ItemPlace,
): Promise<Item | undefined> {
  const { Item: item } = await client
    .send(new GetItemCommand({ TableName, Key, ConsistentRead: true }))
    .catch((error: unknown) => {
      throw toAwsError(`reading ${what} from the table ${TableName}`, error);
    });
  return item;
}

/** Change it under a condition. @throws {AwsError} on anything but a condition that fails. */
export async function changeItem(
  client: DynamoDBClient,
  { tableName, key, what }: ItemPlace,
  { update, condition, values }: ItemChange,
): Promise<ItemChanged> {
  try {
    const { Attributes: written = {} } = await client.send(
      new UpdateItemCommand({
        TableName: tableName,
        Key: key,
        UpdateExpression: update,
        ConditionExpression: condition,
        ExpressionAttributeNames: aliasesIn(`${update} ${condition}`),
        ExpressionAttributeValues: values,
        ReturnValues: 'ALL_NEW',
        ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
      }),
    );
    return { written };
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return { standing: error.Item ?? {} };
    throw toAwsError(`writing ${what} to the table ${tableName}`, error);
  }
}

/** @throws {Error} when a newer Penstock wrote the item. */
export function assertReadable(what: string, item: Item): void {
  const version = readNumber(item, 'v');
  if (version > ITEM_VERSION) {
    throw new Error(
      `${what} has form ${version}, this Penstock reads up to ${ITEM_VERSION}: deploy the newer one`,
    );
  }
}

/** DynamoDB reserves hundreds of words: every name goes by its alias. */
function aliasesIn(expression: string): Record<string, string> {
  const aliases = expression.match(/#\w+/g) ?? [];
  return Object.fromEntries(aliases.map((alias) => [alias, alias.slice(1)]));
}

export function number(value: number): AttributeValue {
  return { N: String(value) };
}

export function readNumber(item: Item, name: string): number {
  return Number(item[name]?.N ?? 0);
}

export function readNumberIfAny(item: Item, name: string): number | undefined {
  return item[name] && readNumber(item, name);
}
