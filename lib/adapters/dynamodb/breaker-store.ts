/** BreakerStore over an item beside the consumer's checkpoints. */
import {
  ConditionalCheckFailedException,
  GetItemCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import type { AttributeValue, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { toAwsError } from '#adapters/aws/aws-error';
import type { RefusalReason } from '#core/record/refusal';
import type { BreakerStore, OfConsumer, OpenBreaker } from '#ports/breaker-store';

type Item = Record<string, AttributeValue>;

/** The form of item written here; a newer one is left alone. */
const ITEM_VERSION = 1;
const NEWEST: Item = { ':v': number(ITEM_VERSION) };
const READABLE = '(attribute_not_exists(v) OR v <= :v)';
const OPEN_ATTRIBUTES = 'sinceMs, code, tripReason, refused, received';

export function dynamoBreakerStore(
  client: DynamoDBClient,
  { tableName }: { readonly tableName: string },
): BreakerStore {
  /** The item as it stood before; undefined when the condition fails. */
  async function change(
    of: OfConsumer,
    update: string,
    condition: string,
    values: Item,
  ): Promise<Item | undefined> {
    try {
      const { Attributes } = await client.send(
        new UpdateItemCommand({
          TableName: tableName,
          Key: keyOf(of),
          UpdateExpression: update,
          ConditionExpression: `${READABLE} AND ${condition}`,
          ExpressionAttributeValues: { ...NEWEST, ...values },
          ReturnValues: 'ALL_OLD',
        }),
      );
      return Attributes ?? {};
    } catch (error) {
      if (error instanceof ConditionalCheckFailedException) return undefined;
      throw toAwsError(`writing the breaker of ${of.consumer} to the table ${tableName}`, error);
    }
  }

  return {
    async read(of) {
      try {
        const ask = { TableName: tableName, Key: keyOf(of), ConsistentRead: true };
        const { Item: item = {} } = await client.send(new GetItemCommand(ask));
        return { open: openIn(item), letUntilMs: Number(item['letUntilMs']?.N ?? 0) };
      } catch (error) {
        throw toAwsError(`reading the breaker of ${of.consumer} in the table ${tableName}`, error);
      }
    },

    async open(of, { sinceMs, code, reason, refused, received }) {
      const update =
        'SET v = :v, sinceMs = :since, code = :code, tripReason = :reason, ' +
        'refused = :refused, received = :received';
      await change(of, update, '(attribute_not_exists(code) OR code <> :code)', {
        ':since': number(sinceMs),
        ':code': { S: code },
        ':reason': { S: reason },
        ':refused': number(refused),
        ':received': number(received),
      });
    },

    async close(of, { letUntilMs, seen }) {
      const update = `SET v = :v, letUntilMs = :let REMOVE ${OPEN_ATTRIBUTES}`;
      const isSeen = seen === undefined ? ':let = :let' : 'sinceMs = :seen';
      const old = await change(of, update, isSeen, {
        ':let': number(letUntilMs),
        ...(seen && { ':seen': number(seen.sinceMs) }),
      });
      return old !== undefined && openIn(old) !== undefined;
    },
  };
}

function keyOf({ pipeline, consumer }: OfConsumer): Item {
  return { pk: { S: `checkpoint#${pipeline}#${consumer}` }, sk: { S: 'breaker' } };
}

function openIn(item: Item): OpenBreaker | undefined {
  const code = item['code']?.S;
  if (code === undefined) return undefined;
  return {
    code,
    sinceMs: Number(item['sinceMs']?.N ?? 0),
    reason: item['tripReason']?.S as RefusalReason,
    refused: Number(item['refused']?.N ?? 0),
    received: Number(item['received']?.N ?? 0),
  };
}

function number(value: number): AttributeValue {
  return { N: String(value) };
}
