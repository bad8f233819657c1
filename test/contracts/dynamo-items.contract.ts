import { PutItemCommand } from '@aws-sdk/client-dynamodb';
import { describe, expect, test } from 'vitest';
import type { SequenceNumber } from '#core/record/records';
import { eventOf } from '#test/pipeline/consume-world';
import type { EndpointPorts } from './endpoint-ports.ts';

/** What the stores over DynamoDB promise of their items, beyond their ports. */
export function dynamoItemsContract(name: string, open: () => Promise<EndpointPorts>): void {
  describe(`DynamoDB items: ${name}`, () => {
    test('SINK-20: a tombstone carries its end in epoch seconds, and a return removes it', async () => {
      const { table, item } = await (await open()).records();
      const beforeSec = Math.floor(Date.now() / 1_000);
      await table.upsert(eventOf({ key: '1', version: 3, deleted: true }));
      const tombstone = await item('1');
      expect(tombstone?.['_deleted']).toEqual({ BOOL: true });
      expect(tombstone?.['_expires']?.N).toMatch(/^\d{10}$/);
      expect(Number(tombstone?.['_expires']?.N) - 7 * 86_400).toBeGreaterThanOrEqual(beforeSec);

      await table.upsert(eventOf({ key: '1', version: 4 }));
      const back = await item('1');
      expect(back).not.toHaveProperty('_deleted');
      expect(back).not.toHaveProperty('_expires');
    });

    test('an item that our own rules let through is refused when DynamoDB finds it too large', async () => {
      const { table, item } = await (await open()).records();
      // Ours gives a number's sign no byte; 1,200 of them go beyond what is left by the note.
      const data = { note: 'x'.repeat(405_000), changes: Array(1_200).fill(-1) as number[] };
      const refused = await table.upsert(eventOf({ key: '1', version: 1, data }));
      const detail = expect.stringMatching(/^DynamoDB: Item size /) as string;
      expect(refused).toEqual({ kind: 'refused', reason: 'item-too-large', detail });
      expect(await item('1')).toBeUndefined();
    });

    test('a checkpoint of a newer form is left alone, in one sentence', async () => {
      const { dynamodb, tableName, store } = await (await open()).checkpoints();
      const who = { pipeline: 'orders', consumer: 'audit' };
      const Item = {
        pk: { S: 'checkpoint#orders#audit' },
        sk: { S: 'shardId-000000000004' },
        v: { N: '2' },
      };
      await dynamodb.send(new PutItemCommand({ TableName: tableName, Item }));
      const place = {
        ...who,
        shardId: 'shardId-000000000004',
        reach: 'frontier',
        sequenceNumber: '7' as SequenceNumber,
        arrivalTimeMs: 1_900_000_000_001,
        atMs: 1_900_000_000_777,
      } as const;
      const save = store.save(place, 1);
      await expect(save).rejects.toThrow(/form 2.*up to 1/);
      await expect(store.list(who)).rejects.toThrow(/form 2.*up to 1/);
    });

    test('a breaker of a newer form is left alone, in one sentence', async () => {
      const { dynamodb, tableName, store } = await (await open()).breakers();
      const of = { pipeline: 'orders', consumer: 'audit' };
      const Item = {
        pk: { S: 'checkpoint#orders#audit' },
        sk: { S: 'breaker' },
        v: { N: '2' },
        code: { S: 'newer' },
      };
      await dynamodb.send(new PutItemCommand({ TableName: tableName, Item }));
      const trip = { reason: 'no-key', refused: 3, received: 4 } as const;
      const newer = /the breaker of audit has form 2.*up to 1/;
      await expect(store.read(of)).rejects.toThrow(newer);
      await expect(store.open(of, { ...trip, sinceMs: 1, code: 'c' })).rejects.toThrow(newer);
      await expect(store.close(of, { letUntilMs: 0 })).rejects.toThrow(newer);
    });
  });
}
