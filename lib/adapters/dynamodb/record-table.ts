/** RecordTable over one conditional PutItem a version: DynamoDB itself decides which one stands. */
import { ConditionalCheckFailedException, PutItemCommand } from '@aws-sdk/client-dynamodb';
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { toAwsError } from '#adapters/aws/aws-error';
import type { Refusal, RefusalReason } from '#core/record/refusal';
import type { Clock } from '#ports/clock';
import type { RecordTable } from '#ports/record-table';
import { OURS, tableItem } from './table-item.ts';
import type { ItemRules } from './table-item.ts';

export interface RecordTableOptions extends ItemRules {
  readonly tableName: string;
  readonly clock: Clock;
}

/** Absent, or older, or the same version seen earlier. */
const OUTRANKED = 'attribute_not_exists(#v) OR #v < :v OR (#v = :v AND #o < :o)';
const NAMES = { '#v': OURS.version, '#o': OURS.observed };

export function dynamoRecordTable(
  client: DynamoDBClient,
  { tableName, clock, ...rules }: RecordTableOptions,
): RecordTable {
  return {
    async upsert(event) {
      const item = tableItem(event, rules, clock.nowMs());
      if (item.kind === 'refused') return item;
      try {
        await client.send(
          new PutItemCommand({
            TableName: tableName,
            Item: item.attributes,
            ConditionExpression: OUTRANKED,
            ExpressionAttributeNames: NAMES,
            ExpressionAttributeValues: { ':v': { S: event.version }, ':o': { S: event.observed } },
          }),
        );
        return { kind: 'written' };
      } catch (error) {
        if (error instanceof ConditionalCheckFailedException) return { kind: 'stale' };
        const refusal = refusalOf(error);
        if (refusal !== undefined) return refusal;
        throw toAwsError(`writing to the table ${tableName}`, error);
      }
    },
  };
}

/**
 * What DynamoDB says of an item that our own rules let through.
 *
 * @source DynamoDB's answers to PutItem (2026-10); other validation failures are the table's or ours.
 */
const SAID_OF_AN_ITEM: readonly (readonly [RegExp, RefusalReason])[] = [
  [/Item size .*exceeded/i, 'item-too-large'],
  [/nesting levels/i, 'nested-too-deep'],
  [/number (overflow|underflow)|significant digits/i, 'number-out-of-range'],
];

function refusalOf(error: unknown): Refusal | undefined {
  if (!(error instanceof Error) || error.name !== 'ValidationException') return undefined;
  const known = SAID_OF_AN_ITEM.find(([said]) => said.test(error.message));
  return known && { kind: 'refused', reason: known[1], detail: `DynamoDB: ${error.message}` };
}
