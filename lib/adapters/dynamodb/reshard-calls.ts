/** When a stream's shards were last changed by us: its service does not tell how many calls are left. */
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { assertReadable, changeItem, ITEM_VERSION, number, readItem } from './state-item.ts';

export interface ReshardCalls {
  /** Moments of the calls in the last 24 hours. */
  recent(nowMs: number): Promise<readonly number[]>;
  note(nowMs: number): Promise<void>;
}

const DAY_MS = 86_400_000;

export function dynamoReshardCalls(
  client: DynamoDBClient,
  { tableName, pipeline }: { readonly tableName: string; readonly pipeline: string },
): ReshardCalls {
  const place = {
    tableName,
    key: { pk: { S: `reshard#${pipeline}` }, sk: { S: 'calls' } },
    what: `the reshardings of ${pipeline}`,
  };
  const recent = async (nowMs: number): Promise<readonly number[]> => {
    const item = (await readItem(client, place)) ?? {};
    assertReadable(place.what, item);
    return (item['callsMs']?.NS ?? []).map(Number).filter((atMs) => atMs > nowMs - DAY_MS);
  };
  return {
    recent,
    async note(nowMs) {
      const calls = new Set([...(await recent(nowMs)), nowMs]);
      await changeItem(client, place, {
        update: 'SET #v = :v, #callsMs = :calls, #expires = :expires',
        condition: 'attribute_not_exists(#v) OR #v <= :v',
        values: {
          ':v': number(ITEM_VERSION),
          ':calls': { NS: [...calls].map(String) },
          ':expires': number(Math.floor((nowMs + 2 * DAY_MS) / 1_000)),
        },
      });
    },
  };
}
