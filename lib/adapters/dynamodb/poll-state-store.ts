/** PollStateStore over one DynamoDB item a pipeline: every write is fenced by the lease's epoch. */
import { ConditionalCheckFailedException, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import type { AttributeValue, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { toAwsError } from '#adapters/aws/aws-error';
import type { Clock } from '#ports/clock';
import type { PollStateStore } from '#ports/poll-state';

/** The form of item written here; a newer one is left alone. */
const ITEM_VERSION = 1;

type Item = Record<string, AttributeValue>;

export function dynamoPollStateStore(
  client: DynamoDBClient,
  { tableName, clock }: { tableName: string; clock: Clock },
): PollStateStore {
  const keyOf = (pipeline: string): Item => ({
    pk: { S: `poll#${pipeline}` },
    sk: { S: 'state' },
  });

  /** The item after the update, or `undefined` and the item that stood in its way. */
  async function update(
    pipeline: string,
    expression: { set: string; condition: string; values: Item },
  ): Promise<{ written: Item } | { standing: Item }> {
    try {
      const { Attributes: written = {} } = await client.send(
        new UpdateItemCommand({
          TableName: tableName,
          Key: keyOf(pipeline),
          UpdateExpression: expression.set,
          ConditionExpression: expression.condition,
          ExpressionAttributeNames: aliasesIn(`${expression.set} ${expression.condition}`),
          ExpressionAttributeValues: expression.values,
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

  return {
    async acquire({ pipeline, nowMs, leaseMs }) {
      const untilMs = nowMs + leaseMs;
      const result = await update(pipeline, {
        set:
          'SET #v = :v, #leaseUntilMs = :until, #epoch = if_not_exists(#epoch, :zero) + :one, ' +
          '#notBeforeMs = if_not_exists(#notBeforeMs, :zero)',
        condition: 'attribute_not_exists(#pk) OR (#leaseUntilMs <= :now AND #v <= :v)',
        values: {
          ':v': number(ITEM_VERSION),
          ':until': number(untilMs),
          ':now': number(nowMs),
          ':zero': number(0),
          ':one': number(1),
        },
      });
      if ('standing' in result) {
        assertReadable(pipeline, result.standing);
        return { kind: 'held', untilMs: readNumber(result.standing, 'leaseUntilMs') };
      }
      const { written } = result;
      return {
        kind: 'acquired',
        lease: { pipeline, epoch: readNumber(written, 'epoch'), untilMs },
        state: {
          cursor: written['cursor']?.S,
          notBeforeMs: readNumber(written, 'notBeforeMs'),
        },
      };
    },

    async save(lease, { cursor, notBeforeMs }, untilMs) {
      const result = await update(lease.pipeline, {
        set:
          'SET #leaseUntilMs = :until, #notBeforeMs = :notBefore, #savedAtMs = :now' +
          (cursor === undefined ? '' : ', #cursor = :cursor'),
        condition: '#epoch = :epoch',
        values: {
          ':until': number(untilMs),
          ':notBefore': number(notBeforeMs),
          ':now': number(clock.nowMs()),
          ':epoch': number(lease.epoch),
          ...(cursor === undefined ? {} : { ':cursor': { S: cursor } }),
        },
      });
      return 'written' in result ? { ...lease, untilMs } : undefined;
    },

    async release(lease) {
      await update(lease.pipeline, {
        set: 'SET #leaseUntilMs = :zero',
        condition: '#epoch = :epoch',
        values: { ':zero': number(0), ':epoch': number(lease.epoch) },
      });
    },
  };
}

/** @throws {Error} when a newer Penstock wrote the item. */
function assertReadable(pipeline: string, item: Item): void {
  const version = readNumber(item, 'v');
  if (version > ITEM_VERSION) {
    throw new Error(
      `the poll state of ${pipeline} has form ${version}, this Penstock reads up to ` +
        `${ITEM_VERSION}: deploy the newer one`,
    );
  }
}

/** Every name goes by its alias: DynamoDB reserves hundreds of words. */
function aliasesIn(expression: string): Record<string, string> {
  const aliases = expression.match(/#\w+/g) ?? [];
  return Object.fromEntries(aliases.map((alias) => [alias, alias.slice(1)]));
}

function number(value: number): AttributeValue {
  return { N: String(value) };
}

function readNumber(item: Item, name: string): number {
  return Number(item[name]?.N ?? 0);
}
