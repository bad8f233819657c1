import { PutItemCommand, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '#core/record/json';
import type { SequenceNumber } from '#core/record/records';
import { capabilityTest } from '#test/clouds/cloud-test';
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

    const last = async (key: string, data: JsonObject) => {
      const { table, item } = await (await open()).records();
      await table.upsert(eventOf({ key, version: 4, data }));
      await table.upsert(eventOf({ key, version: '', observed: 7 }));
      expect(await item(key)).toMatchObject({
        _version: { S: '4'.padStart(38, '0') },
        _observed: { S: '0000000001-0000000007' },
        _cleared: { S: '0000000001-0000000007' },
        _deleted: { BOOL: true },
      });
    };

    test('a delete without a version leaves the last known one in the tombstone, and none of a key that never came', async () => {
      await last('1', { n: 1 });
      const { table, item } = await (await open()).records();
      await table.upsert(eventOf({ key: '2', version: '', observed: 7 }));
      expect(await item('2')).toMatchObject({ _version: { S: '' }, _deleted: { BOOL: true } });
    });

    test('a delete without a version leaves the last known one of a record of 420 members, too', () =>
      last('1', Object.fromEntries(Array.from({ length: 420 }, (_, at) => [`m${at}`, at]))));

    capabilityTest(
      'item-size-of-updates',
      'an item that our own rules let through is refused when DynamoDB finds it too large',
      async () => {
        const { table, item } = await (await open()).records();
        // Ours gives a number's sign no byte; 1,200 of them go beyond what is left by the note.
        const data = { note: 'x'.repeat(405_000), changes: Array(1_200).fill(-1) as number[] };
        const refused = await table.upsert(eventOf({ key: '1', version: 1, data }));
        const detail = expect.stringMatching(/^DynamoDB: Item size /) as string;
        expect(refused).toEqual({ kind: 'refused', reason: 'item-too-large', detail });
        expect(await item('1')).toBeUndefined();
      },
    );

    test('a name that no SDK reads back is refused below the top, and does not stop its key', async () => {
      const { table } = await (await open()).records();
      const data = JSON.parse('{"note":{"__proto__":"x"}}') as JsonObject;
      const outcome = await table.upsert(eventOf({ key: '1', version: 1, data }));
      expect(outcome).toMatchObject({ kind: 'refused', reason: 'field-name-not-allowed' });
      expect(await table.upsert(eventOf({ key: '1', version: 2 }))).toEqual({ kind: 'written' });
    });

    capabilityTest(
      'nested-name-bytes',
      'what DynamoDB never takes is refused, although no rule of ours foresaw it',
      async () => {
        const { table } = await (await open()).records();
        const data = { nested: { ['n'.repeat(70_000)]: 1 } };
        const outcome = await table.upsert(eventOf({ key: '1', version: 1, data }));
        expect(outcome).toMatchObject({ kind: 'refused', reason: 'table-refused' });
      },
    );

    test('in mode merge the delete of an unknown key takes nothing of another writer', async () => {
      const { table, write, item } = await (await open()).records({ mode: 'merge' });
      await table.upsert(eventOf({ key: '1', version: 1, data: { status: 'open' } }));
      await write('2', { status: 'theirs' });
      await table.upsert(eventOf({ key: '2', version: 1, deleted: true }));
      expect(await item('2')).toMatchObject({ status: { S: 'theirs' }, _deleted: { BOOL: true } });
    });

    test('in mode merge an item whose marks another writer harmed is written, once', async () => {
      const { dynamodb, tableName, table, item } = await (await open()).records({ mode: 'merge' });
      const harmed = ['[harmed', '["order_id"]', '["_version","_first_seen"]', '[1,2]'];
      for (const [at, shape] of harmed.entries()) {
        const Key = { order_id: { S: shape } };
        const Item = { ...Key, _version: { S: '0' }, _shape: { S: shape }, note: { S: 'theirs' } };
        await dynamodb.send(new PutItemCommand({ TableName: tableName, Item }));
        const event = eventOf({ key: shape, version: 2 + at, data: { status: 'open' } });
        expect(await table.upsert(event)).toEqual({ kind: 'written' });
        expect(await item(shape)).toMatchObject({ note: { S: 'theirs' }, status: { S: 'open' } });
      }
      await dynamodb.send(
        new UpdateItemCommand({
          TableName: tableName,
          Key: { order_id: { S: '[harmed' } },
          UpdateExpression: 'REMOVE #observed',
          ExpressionAttributeNames: { '#observed': '_observed' },
        }),
      );
      const next = eventOf({ key: '[harmed', version: 3, data: { total: 7 } });
      expect(await table.upsert(next)).toEqual({ kind: 'written' });
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
