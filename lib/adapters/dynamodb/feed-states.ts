/** FeedStates over one DynamoDB item, beside the one of the pipeline itself. */
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { Clock } from '#ports/clock';
import type { FeedStates } from '#ports/feed-states';
import { assertReadable, changeItem, ITEM_VERSION, number } from './state-item.ts';
import type { ItemPlace } from './state-item.ts';

/** @param feed its name, as the pipeline file has it. */
export function dynamoFeedStates(
  client: DynamoDBClient,
  { tableName, feed, clock }: { tableName: string; feed: string; clock: Clock },
): FeedStates {
  return {
    async open({ pipeline, epoch }) {
      const result = await changeItem(client, feedItem(tableName, pipeline, feed), {
        update: 'SET #v = :v, #epoch = :epoch',
        condition: 'attribute_not_exists(#pk) OR (#epoch <= :epoch AND #v <= :v)',
        values: { ':v': number(ITEM_VERSION), ':epoch': number(epoch) },
      });
      if ('written' in result) return { cursor: result.written['cursor']?.S };
      assertReadable(`the state of ${pipeline}, ${feed}`, result.standing);
      return 'lease-lost';
    },
    async save({ pipeline, epoch }, cursor) {
      const result = await changeItem(client, feedItem(tableName, pipeline, feed), {
        update: 'SET #cursor = :cursor, #savedAtMs = :now',
        condition: '#epoch = :epoch',
        values: {
          ':cursor': { S: cursor },
          ':now': number(clock.nowMs()),
          ':epoch': number(epoch),
        },
      });
      return 'written' in result;
    },
  };
}

function feedItem(tableName: string, pipeline: string, feed: string): ItemPlace {
  const key = { pk: { S: `poll#${pipeline}` }, sk: { S: feed } };
  return { tableName, key, what: `the state of ${pipeline}, ${feed}` };
}
