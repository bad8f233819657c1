/** BackfillStore over the state table: one item for the run, and one for how far it came. */
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { BackfillPlace, BackfillStore } from '#ports/backfill-store';
import type { HeldJob } from '#ports/held-job';
import { expiryOf, jobIn, RUN, saveJob } from './held-job-item.ts';
import {
  assertReadable,
  changeItem,
  ITEM_VERSION,
  number,
  readItem,
  readNumber,
} from './state-item.ts';
import type { Item } from './state-item.ts';

const WHAT = 'a backfill';

export function dynamoBackfillStore(
  client: DynamoDBClient,
  { tableName }: { readonly tableName: string },
): BackfillStore {
  const placeOf = (pipeline: string, sk: string) => ({
    tableName,
    key: { pk: { S: `backfill#${pipeline}` }, sk: { S: sk } },
    what: WHAT,
  });

  return {
    async read(pipeline) {
      const head = await readItem(client, placeOf(pipeline, RUN));
      if (head === undefined) return undefined;
      assertReadable(WHAT, head);
      const run = jobIn(head);
      const item = await readItem(client, placeOf(pipeline, placeKey(run)));
      return { run, places: item && placeIn(item) };
    },

    // It stays: the epochs of the next one must lie above those of what this one published.
    save: (pipeline, run, seenEpoch) => saveJob(client, placeOf(pipeline, RUN), run, { seenEpoch }),

    async move(pipeline, run, { cursor, sent, notBeforeMs }) {
      const result = await changeItem(client, placeOf(pipeline, placeKey(run)), {
        update:
          'SET #v = :v, #epoch = :epoch, #expires = :expires, #notBeforeMs = :notBefore' +
          (cursor === undefined ? '' : ', #cursor = :cursor') +
          (sent === undefined ? '' : ', #sent = :sent'),
        condition: 'attribute_not_exists(#epoch) OR #epoch <= :epoch',
        values: {
          ':v': number(ITEM_VERSION),
          ':epoch': number(run.epoch),
          ':expires': expiryOf(run),
          ':notBefore': number(notBeforeMs),
          ...(cursor !== undefined && { ':cursor': { S: cursor } }),
          ...(sent !== undefined && { ':sent': { S: sent } }),
        },
      });
      return 'written' in result;
    },
  };
}

/** A backfill that is begun anew leaves the place of the one before alone. */
function placeKey({ startedAtMs }: HeldJob): string {
  return `${startedAtMs}`;
}

function placeIn(item: Item): BackfillPlace {
  return {
    cursor: item['cursor']?.S,
    sent: item['sent']?.S,
    notBeforeMs: readNumber(item, 'notBeforeMs'),
  };
}
