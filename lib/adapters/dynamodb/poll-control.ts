/** PollControl over the item that the poller itself keeps. */
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { PollControl } from '#ports/poll-control';
import {
  assertPollReadable,
  endIn,
  failingIn,
  pauseIn,
  pollItem,
  sentIn,
} from './poll-state-item.ts';
import {
  changeItem,
  ITEM_VERSION,
  number,
  readItem,
  readNumber,
  readNumberIfAny,
} from './state-item.ts';
import type { Item } from './state-item.ts';

/** What a lease reads of an item must be there, whoever wrote it first. */
const AS_NEW =
  '#v = :v, #leaseUntilMs = if_not_exists(#leaseUntilMs, :zero), ' +
  '#notBeforeMs = if_not_exists(#notBeforeMs, :zero)';
const READABLE = 'attribute_not_exists(#pk) OR #v <= :v';
const VALUES: Item = { ':v': number(ITEM_VERSION), ':zero': number(0) };

export function dynamoPollControl(
  client: DynamoDBClient,
  { tableName }: { readonly tableName: string },
): PollControl {
  async function change(pipeline: string, update: string, values: Item): Promise<void> {
    const how = { update, condition: READABLE, values: { ...VALUES, ...values } };
    const result = await changeItem(client, pollItem(tableName, pipeline), how);
    if ('standing' in result) assertPollReadable(pipeline, result.standing);
  }

  return {
    async read(pipeline) {
      const item = await readItem(client, pollItem(tableName, pipeline));
      if (item === undefined) return undefined;
      assertPollReadable(pipeline, item);
      return {
        epoch: readNumber(item, 'epoch'),
        leaseUntilMs: readNumber(item, 'leaseUntilMs'),
        cursor: item['cursor']?.S,
        notBeforeMs: readNumber(item, 'notBeforeMs'),
        savedAtMs: readNumberIfAny(item, 'savedAtMs'),
        firstAtMs: readNumberIfAny(item, 'firstAtMs'),
        succeededAtMs: readNumberIfAny(item, 'succeededAtMs'),
        end: endIn(item),
        failing: failingIn(item),
        pause: pauseIn(item),
        ...sentIn(item),
      };
    },

    async pause(pipeline, { sinceMs, reason }) {
      const since = '#pausedAtMs = if_not_exists(#pausedAtMs, :since)';
      const why = reason === undefined ? '' : ', #pauseReason = :reason';
      await change(pipeline, `SET ${AS_NEW}, ${since}${why}`, {
        ':since': number(sinceMs),
        ...(reason === undefined ? {} : { ':reason': { S: reason } }),
      });
    },

    async resume(pipeline) {
      const result = await changeItem(client, pollItem(tableName, pipeline), {
        update: 'SET #retryAtMs = :zero REMOVE #pausedAtMs, #pauseReason',
        condition: '(attribute_exists(#pausedAtMs) OR #retryAtMs > :zero) AND #v <= :v',
        values: VALUES,
      });
      if ('standing' in result) assertPollReadable(pipeline, result.standing);
      return 'written' in result;
    },

    async setCursor(pipeline, cursor) {
      const risen = '#epoch = if_not_exists(#epoch, :zero) + :one';
      const place =
        cursor === undefined
          ? ' REMOVE #cursor, #savedAtMs'
          : ', #cursor = :cursor REMOVE #savedAtMs';
      await change(pipeline, `SET ${AS_NEW}, ${risen}${place}`, {
        ':one': number(1),
        ...(cursor === undefined ? {} : { ':cursor': { S: cursor } }),
      });
    },
  };
}
