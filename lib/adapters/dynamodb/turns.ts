/** Turns over one item each of the state table. */
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { Turns } from '#ports/turns';
import { assertReadable, changeItem, ITEM_VERSION, number, readNumber } from './state-item.ts';
import type { ItemPlace } from './state-item.ts';

export function dynamoTurns(
  client: DynamoDBClient,
  { tableName }: { readonly tableName: string },
): Turns {
  const placeOf = (name: string): ItemPlace => ({
    tableName,
    key: { pk: { S: `turn#${name}` }, sk: { S: 'turn' } },
    what: `the turn of ${name}`,
  });

  return {
    async take({ name, nowMs, lengthMs }) {
      const untilMs = nowMs + lengthMs;
      const place = placeOf(name);
      const result = await changeItem(client, place, {
        update: 'SET #v = :v, #untilMs = :until, #number = if_not_exists(#number, :zero) + :one',
        condition: 'attribute_not_exists(#pk) OR (#untilMs <= :now AND #v <= :v)',
        values: {
          ':v': number(ITEM_VERSION),
          ':until': number(untilMs),
          ':now': number(nowMs),
          ':zero': number(0),
          ':one': number(1),
        },
      });
      if ('standing' in result) {
        assertReadable(place.what, result.standing);
        return { kind: 'held', untilMs: readNumber(result.standing, 'untilMs') };
      }
      return { kind: 'taken', name, number: readNumber(result.written, 'number'), untilMs };
    },

    async giveBack(turn) {
      await changeItem(client, placeOf(turn.name), {
        update: 'SET #untilMs = :zero',
        condition: '#number = :number',
        values: { ':zero': number(0), ':number': number(turn.number) },
      });
    },
  };
}
