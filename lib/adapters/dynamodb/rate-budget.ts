/** RateBudget over one DynamoDB item an API: how far its line is taken only ever rises. */
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { RateBudget } from '#ports/rate-budget';
import {
  assertReadable,
  changeItem,
  ITEM_VERSION,
  number,
  readItem,
  readNumber,
} from './state-item.ts';
import type { Item, ItemPlace } from './state-item.ts';

const FREE = 'attribute_not_exists(#takenMs) OR (#takenMs <= :now AND #v <= :v)';
const TAKEN = '#takenMs > :now AND #takenMs <= :latest AND #v <= :v';

export function dynamoRateBudget(
  client: DynamoDBClient,
  { tableName }: { readonly tableName: string },
): RateBudget {
  async function raise(api: string, name: string, untilMs: number): Promise<void> {
    const result = await changeItem(client, rateItem(tableName, api), {
      update: `SET #v = :v, #${name} = :until`,
      condition: `attribute_not_exists(#${name}) OR (#${name} < :until AND #v <= :v)`,
      values: { ':v': number(ITEM_VERSION), ':until': number(untilMs) },
    });
    if ('standing' in result) assertRateReadable(api, result.standing);
  }

  return {
    async take({ api, nowMs, spanMs, latestMs }) {
      const now = { ':v': number(ITEM_VERSION), ':now': number(nowMs) };
      const free = {
        update: 'SET #v = :v, #takenMs = :end',
        condition: FREE,
        values: { ...now, ':end': number(nowMs + spanMs) },
      };
      const behind = {
        update: 'SET #v = :v, #takenMs = #takenMs + :span',
        condition: TAKEN,
        values: { ...now, ':span': number(spanMs), ':latest': number(latestMs) },
      };
      let result = await changeItem(client, rateItem(tableName, api), free);
      if ('standing' in result) {
        result = await changeItem(client, rateItem(tableName, api), behind);
      }
      if ('standing' in result) {
        assertRateReadable(api, result.standing);
        return { kind: 'later', fromMs: readNumber(result.standing, 'takenMs') };
      }
      const { written } = result;
      const fromMs = readNumber(written, 'takenMs') - spanMs;
      return { kind: 'taken', fromMs, heldUntilMs: readNumber(written, 'heldUntilMs') };
    },
    async hold(api, untilMs) {
      await raise(api, 'heldUntilMs', untilMs);
      await raise(api, 'takenMs', untilMs);
    },
    async heldUntilMs(api) {
      const item = await readItem(client, rateItem(tableName, api));
      if (item === undefined) return 0;
      assertRateReadable(api, item);
      return readNumber(item, 'heldUntilMs');
    },
  };
}

function rateItem(tableName: string, api: string): ItemPlace {
  const key = { pk: { S: `rate#${api}` }, sk: { S: 'line' } };
  return { tableName, key, what: `the rate budget of ${api}` };
}

function assertRateReadable(api: string, item: Item): void {
  assertReadable(`the rate budget of ${api}`, item);
}
