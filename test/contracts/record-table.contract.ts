import { describe, expect, test } from 'vitest';
import type { JsonObject } from '#core/record/json';
import { parseExact } from '#core/record/exact-json';
import type { RecordTable } from '#ports/record-table';
import { eventOf, turns } from '#test/pipeline/consume-world';

export interface OpenTable {
  readonly table: RecordTable;
  /** What a reader of the table sees of a key's record: its members, or undefined if it is gone. */
  readonly read: (key: string) => Promise<JsonObject | undefined>;
}

/** What every RecordTable promises: run on the memory twin, the local cloud and LocalStack. */
export function recordTableContract(name: string, open: () => Promise<OpenTable>): void {
  const order = (version: number, data: JsonObject = {}, observed = version) =>
    eventOf({ key: '1', version, observed, data: { order_id: '1', ...data } });
  const gone = (version: number) => eventOf({ key: '1', version, deleted: true });

  describe(`RecordTable: ${name}`, () => {
    test('a new key is written', async () => {
      const { table, read } = await open();
      expect(await table.upsert(order(1, { total: 7 }))).toEqual({ kind: 'written' });
      expect(await read('1')).toEqual({ order_id: '1', total: 7 });
      expect(await read('2')).toBeUndefined();
    });

    test('SINK-10: 9 after 10 is stale, although its text is greater', async () => {
      const { table, read } = await open();
      await table.upsert(order(10, { n: 'ten' }));
      expect(await table.upsert(order(9, { n: 'nine' }))).toEqual({ kind: 'stale' });
      expect(await read('1')).toMatchObject({ n: 'ten' });
    });

    test('SINK-06: names that DynamoDB reserves are like any other, and the late one loses', async () => {
      const { table, read } = await open();
      const reserved = { name: 'a', date: 'b', total: 1, timestamp: 2, size: 3 };
      await table.upsert(order(2, { status: 'completed', ...reserved }));
      expect(await table.upsert(order(1, { status: 'running' }))).toEqual({ kind: 'stale' });
      expect(await read('1')).toEqual({ order_id: '1', status: 'completed', ...reserved });
    });

    test('SINK-09: the same version again is stale, not an error', async () => {
      const { table, read } = await open();
      const event = eventOf({ key: '1', version: 4, data: { order_id: '1', total: '10.00' } });
      expect(await table.upsert(event)).toEqual({ kind: 'written' });
      expect(await table.upsert(event)).toEqual({ kind: 'stale' });
      expect(await read('1')).toMatchObject({ total: '10.00' });
    });

    test('among equal versions the newest seen stands', async () => {
      const { table, read } = await open();
      await table.upsert(order(4, { n: 'second' }, 12));
      expect(await table.upsert(order(4, { n: 'first' }, 11))).toEqual({ kind: 'stale' });
      expect(await table.upsert(order(4, { n: 'third' }, 13))).toEqual({ kind: 'written' });
      expect(await read('1')).toMatchObject({ n: 'third' });
    });

    test('SINK-14: empty text replaces text, and stays', async () => {
      const { table, read } = await open();
      await table.upsert(order(1, { note: 'gift' }));
      await table.upsert(order(2, { note: '' }));
      expect(await read('1')).toEqual({ order_id: '1', note: '' });
    });

    test('members that vanished are gone', async () => {
      const { table, read } = await open();
      await table.upsert(order(1, { note: 'gift', lines: [{ sku: 'a' }, null, true] }));
      await table.upsert(order(2, { total: 0.5 }));
      expect(await read('1')).toEqual({ order_id: '1', total: 0.5 });
    });

    test('digits beyond a double are kept', async () => {
      const { table, read } = await open();
      const data = parseExact('{"id":9007199254740993,"rate":0.12345678901234567891}');
      await table.upsert(order(1, data as JsonObject));
      const text = JSON.stringify(await read('1'));
      expect(text).toContain('9007199254740993');
      expect(text).toContain('0.12345678901234567891');
    });

    test('a delete hides the key, and a late update does not revive it', async () => {
      const { table, read } = await open();
      await table.upsert(order(1, { total: 7 }));
      expect(await table.upsert(gone(3))).toEqual({ kind: 'written' });
      expect(await read('1')).toBeUndefined();
      expect(await table.upsert(order(2))).toEqual({ kind: 'stale' });
      expect(await read('1')).toBeUndefined();
    });

    test('a key that comes back is whole', async () => {
      const { table, read } = await open();
      await table.upsert(gone(3));
      expect(await table.upsert(order(4, { total: 7 }))).toEqual({ kind: 'written' });
      expect(await read('1')).toEqual({ order_id: '1', total: 7 });
    });

    test('writers side by side leave the newest, whoever comes last', async () => {
      const { table, read } = await open();
      const versions = [5, 11, 2, 9, 10, 1, 3];
      const outcomes = await Promise.all(
        versions.map(async (version, at) => {
          await turns(at % 3);
          return table.upsert(order(version, { version }));
        }),
      );
      expect(outcomes.map(({ kind }) => kind)).toContain('written');
      expect(await read('1')).toMatchObject({ version: 11 });
    });

    test('keys do not disturb each other', async () => {
      const { table, read } = await open();
      await table.upsert(eventOf({ key: 'a', version: 9, data: { order_id: 'a' } }));
      await table.upsert(eventOf({ key: 'A', version: 1, data: { order_id: 'A' } }));
      expect(await read('a')).toEqual({ order_id: 'a' });
      expect(await read('A')).toEqual({ order_id: 'A' });
    });
  });
}
