/** The one DynamoDB item of a poller, and how it is changed. */
import { ConditionalCheckFailedException, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import type { AttributeValue, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { toAwsError } from '#adapters/aws/aws-error';
import type { PollStanding } from '#ports/poll-control';
import type { Pause } from '#ports/poll-state';

/** The form of item written here; a newer one is left alone. */
export const ITEM_VERSION = 1;

export type Item = Record<string, AttributeValue>;

export interface ItemChange {
  /** A whole update expression; every name goes by its alias, as `#epoch`. */
  readonly update: string;
  readonly condition: string;
  readonly values: Item;
}

/** The item after the change, or the one that stood in its way. */
export type ItemChanged = { readonly written: Item } | { readonly standing: Item };

export const keyOf = (pipeline: string): Item => ({
  pk: { S: `poll#${pipeline}` },
  sk: { S: 'state' },
});

/** Change it under a condition. @throws {AwsError} on anything but a condition that fails. */
export async function changeItem(
  client: DynamoDBClient,
  { tableName, pipeline }: { readonly tableName: string; readonly pipeline: string },
  { update, condition, values }: ItemChange,
): Promise<ItemChanged> {
  try {
    const { Attributes: written = {} } = await client.send(
      new UpdateItemCommand({
        TableName: tableName,
        Key: keyOf(pipeline),
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
    throw toAwsError(`writing the state of ${pipeline} to the table ${tableName}`, error);
  }
}

/** @throws {Error} when a newer Penstock wrote the item. */
export function assertReadable(pipeline: string, item: Item): void {
  const version = readNumber(item, 'v');
  if (version > ITEM_VERSION) {
    throw new Error(
      `the poll state of ${pipeline} has form ${version}, this Penstock reads up to ` +
        `${ITEM_VERSION}: deploy the newer one`,
    );
  }
}

/** The mark of an operator, if there is one. */
export function pauseIn(item: Item): Pause | undefined {
  if (item['pausedAtMs'] === undefined) return undefined;
  return { sinceMs: readNumber(item, 'pausedAtMs'), reason: item['pauseReason']?.S };
}

/** Of the last poll that could say how it ended, if there was one. */
export function endIn(item: Item): PollStanding['end'] {
  const outcome = item['outcome']?.S;
  if (outcome === undefined) return undefined;
  return { outcome, atMs: readNumber(item, 'endedAtMs'), detail: item['detail']?.S };
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
