/** BreakerStore over an item beside the consumer's checkpoints. */
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { RefusalReason } from '#core/record/refusal';
import type { BreakerStore, OfConsumer, OpenBreaker } from '#ports/breaker-store';
import { consumerPartition } from './checkpoint-item.ts';
import {
  assertReadable,
  changeItem,
  ITEM_VERSION,
  number,
  readItem,
  readNumber,
} from './state-item.ts';
import type { Item, ItemPlace } from './state-item.ts';

const READABLE = '(attribute_not_exists(#v) OR #v <= :v)';
const CLOSE = 'SET #v = :v, #letUntilMs = :let';
const FORGET = 'REMOVE #sinceMs, #code, #tripReason, #refused, #received';

export function dynamoBreakerStore(
  client: DynamoDBClient,
  { tableName }: { readonly tableName: string },
): BreakerStore {
  const placeOf = (of: OfConsumer): ItemPlace => ({
    tableName,
    key: { pk: { S: consumerPartition(of) }, sk: { S: 'breaker' } },
    what: `the breaker of ${of.consumer}`,
  });

  /** Whether the condition held. */
  async function change(
    of: OfConsumer,
    { update, condition, values }: { update: string; condition?: string; values: Item },
  ): Promise<boolean> {
    const place = placeOf(of);
    const result = await changeItem(client, place, {
      update,
      condition: condition === undefined ? READABLE : `${READABLE} AND ${condition}`,
      values: { ':v': number(ITEM_VERSION), ...values },
    });
    if ('standing' in result) assertReadable(place.what, result.standing);
    return 'written' in result;
  }

  return {
    async read(of) {
      const place = placeOf(of);
      const item = (await readItem(client, place)) ?? {};
      assertReadable(place.what, item);
      return { open: openIn(item), letUntilMs: readNumber(item, 'letUntilMs') };
    },

    async open(of, { sinceMs, code, reason, refused, received }) {
      await change(of, {
        update:
          'SET #v = :v, #sinceMs = :since, #code = :code, #tripReason = :reason, ' +
          '#refused = :refused, #received = :received',
        condition: '(attribute_not_exists(#code) OR #code <> :code)',
        values: {
          ':since': number(sinceMs),
          ':code': { S: code },
          ':reason': { S: reason },
          ':refused': number(refused),
          ':received': number(received),
        },
      });
    },

    async close(of, { letUntilMs, seen }) {
      const values = { ':let': number(letUntilMs) };
      const wasOpen = await change(of, {
        update: `${CLOSE} ${FORGET}`,
        condition: seen === undefined ? 'attribute_exists(#code)' : '#sinceMs = :seen',
        values: seen === undefined ? values : { ...values, ':seen': number(seen.sinceMs) },
      });
      if (!wasOpen && seen === undefined) await change(of, { update: CLOSE, values });
      return wasOpen;
    },
  };
}

function openIn(item: Item): OpenBreaker | undefined {
  const code = item['code']?.S;
  if (code === undefined) return undefined;
  return {
    code,
    sinceMs: readNumber(item, 'sinceMs'),
    reason: item['tripReason']?.S as RefusalReason,
    refused: readNumber(item, 'refused'),
    received: readNumber(item, 'received'),
  };
}
