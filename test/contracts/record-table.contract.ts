import { describe, expect, test } from 'vitest';
import type { JsonObject } from '#core/record/json';
import { parseExact } from '#core/record/exact-json';
import type { MemberNames } from '#core/record/rename-members';
import type { RecordTable } from '#ports/record-table';
import { capabilityTest } from '#test/clouds/cloud-test';
import { eventOf, turns } from '#test/pipeline/consume-world';
import type { Times } from './read-item.ts';

export interface TableAsk {
  readonly mode?: 'replace' | 'merge';
  readonly attributes?: MemberNames;
  readonly nowMs?: () => number;
}

export interface OpenTable {
  readonly table: RecordTable;
  /** Another way to it, as a function has that has just started. */
  readonly writer: () => RecordTable;
  /** What a reader sees of a key's record, with what others wrote beside it; undefined if it is gone. */
  readonly read: (key: string) => Promise<JsonObject | undefined>;
  /** When the key first came, and was last written. */
  readonly times: (key: string) => Promise<Times>;
  /** Writes attributes beside the record, as another program does. */
  readonly write: (key: string, others: JsonObject) => Promise<void>;
}

/** What every RecordTable promises: run on the memory twin, the local cloud and LocalStack. */
export function recordTableContract(
  name: string,
  open: (ask?: TableAsk) => Promise<OpenTable>,
): void {
  const order = (version: number, data: JsonObject = {}, observed = version) =>
    eventOf({ key: '1', version, observed, data: { order_id: '1', ...data } });
  const cleared = (observed: number) => eventOf({ key: '1', version: '', observed });
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

    test('SINK-16: when a key was first seen stays, when it was updated moves', async () => {
      let nowMs = Date.parse('2031-06-12T10:00:00.000Z');
      const { table, writer, times } = await open({ nowMs: () => nowMs });
      await table.upsert(order(1, { total: 7 }));
      nowMs = Date.parse('2031-06-12T11:00:00.000Z');
      await writer().upsert(order(2, { note: 'gift' }));
      expect(await times('1')).toEqual({
        firstSeen: '2031-06-12T10:00:00.000Z',
        updated: '2031-06-12T11:00:00.000Z',
      });
      nowMs += 60_000;
      await table.upsert(gone(3));
      await table.upsert(order(2, { note: 'late' }));
      expect(await times('1')).toEqual({
        firstSeen: '2031-06-12T10:00:00.000Z',
        updated: '2031-06-12T11:01:00.000Z',
      });
    });

    test('members that vanish under another writer are gone, whatever it has written before', async () => {
      const { table, writer, read } = await open();
      const other = writer();
      await other.upsert(eventOf({ key: '2', version: 1, data: { order_id: '2', a: 1, c: 2 } }));
      await table.upsert(order(1, { a: 1, b: 2 }));
      await other.upsert(order(2, { c: 3 }));
      expect(await read('1')).toEqual({ order_id: '1', c: 3 });
      await table.upsert(order(3, { a: 4 }));
      expect(await read('1')).toEqual({ order_id: '1', a: 4 });
    });

    capabilityTest(
      'wide-updates',
      'a record of 250 members on top is written whole, keeps its first moment, and shrinks again',
      async () => {
        let nowMs = 1_900_000_000_000;
        const { table, read, times } = await open({ nowMs: () => nowMs });
        const wide = Object.fromEntries(Array.from({ length: 250 }, (_, at) => [`m${at}`, at]));
        await table.upsert(order(1, { note: 'narrow' }));
        nowMs += 5_000;
        expect(await table.upsert(order(2, wide))).toEqual({ kind: 'written' });
        expect(await table.upsert(order(2, wide))).toEqual({ kind: 'stale' });
        expect(await read('1')).toEqual({ order_id: '1', ...wide });
        expect(await table.upsert(order(3, { ...wide, m0: 'x' }))).toEqual({ kind: 'written' });
        await table.upsert(order(4, { total: 7 }));
        expect(await read('1')).toEqual({ order_id: '1', total: 7 });
        expect((await times('1')).firstSeen).toBe('2030-03-17T17:46:40.000Z');
      },
    );

    test('a member is renamed or left out, and one that is not there is not missed', async () => {
      const attributes = { status: 'order_status', secret: false, absent: 'never', a: 'b', b: 'a' };
      const { table, read } = await open({ attributes } as TableAsk);
      await table.upsert(order(1, { status: 'open', secret: 'x', a: 1, b: 2 }));
      expect(await read('1')).toEqual({ order_id: '1', order_status: 'open', b: 1, a: 2 });
    });

    test('a record in which two members would have one name is refused', async () => {
      const { table, read } = await open({ attributes: { status: 'state' } });
      const both = order(1, { status: 'open', state: 'CA' });
      expect(await table.upsert(both)).toMatchObject({ reason: 'field-name-not-allowed' });
      expect(await read('1')).toBeUndefined();
    });

    test('in mode merge what others write stays, whatever comes and vanishes', async () => {
      const { table, writer, read, write } = await open({ mode: 'merge' });
      await table.upsert(order(1, { total: 7, note: 'gift' }));
      await write('1', { rating: 'good', seen_by: ['ann', 'bob'] });
      await table.upsert(order(2, { total: 8 }));
      const others = { rating: 'good', seen_by: ['ann', 'bob'] };
      expect(await read('1')).toEqual({ order_id: '1', total: 8, ...others });
      await writer().upsert(order(3, { city: 'Oslo' }));
      expect(await read('1')).toEqual({ order_id: '1', city: 'Oslo', ...others });
      await writer().upsert(gone(4));
      expect(await read('1')).toBeUndefined();
      await table.upsert(order(5, { total: 9 }));
      expect(await read('1')).toEqual({ order_id: '1', total: 9, ...others });
    });

    test("in mode merge another writer's attribute stays although other records have a member of its name", async () => {
      const { table, read, write } = await open({ mode: 'merge' });
      await table.upsert(eventOf({ key: '2', version: 1, data: { order_id: '2', note: 'ours' } }));
      await table.upsert(order(1, { total: 7 }));
      await write('1', { note: 'theirs' });
      await table.upsert(order(2, { city: 'Oslo' }));
      expect(await read('1')).toEqual({ order_id: '1', city: 'Oslo', note: 'theirs' });
      await table.upsert(gone(3));
      await table.upsert(order(4));
      expect(await read('1')).toEqual({ order_id: '1', note: 'theirs' });
    });

    test('a delete without a version takes away what was seen before it, whatever its version', async () => {
      const { table, read } = await open();
      await table.upsert(order(5, { n: 'five' }));
      expect(await table.upsert(cleared(7))).toEqual({ kind: 'written' });
      expect(await read('1')).toBeUndefined();
      expect(await table.upsert(order(9, { n: 'late' }, 6))).toEqual({ kind: 'stale' });
      expect(await table.upsert(cleared(7))).toEqual({ kind: 'stale' });
      expect(await read('1')).toBeUndefined();
    });

    test('a delete without a version changes nothing that was seen later', async () => {
      const { table, read } = await open();
      await table.upsert(order(5, { n: 'five' }, 8));
      expect(await table.upsert(cleared(7))).toEqual({ kind: 'stale' });
      expect(await read('1')).toEqual({ order_id: '1', n: 'five' });
    });

    test('a delete without a version of a key that never came holds off what was seen before it', async () => {
      const { table, writer, read } = await open();
      expect(await table.upsert(cleared(7))).toEqual({ kind: 'written' });
      expect(await writer().upsert(order(9, {}, 6))).toEqual({ kind: 'stale' });
      expect(await read('1')).toBeUndefined();
      expect(await writer().upsert(order(1, { n: 'one' }, 8))).toEqual({ kind: 'written' });
      expect(await read('1')).toEqual({ order_id: '1', n: 'one' });
    });

    test.each([4, 5, 6])(
      'a key that comes back after it as version %i is whole, and its earlier life stays over',
      async (version) => {
        const { table, writer, read } = await open();
        const before = order(5, { n: 'before', note: 'gift' }, 5);
        await table.upsert(before);
        await table.upsert(cleared(7));
        expect(await writer().upsert(order(version, { n: 'back' }, 8))).toEqual({
          kind: 'written',
        });
        for (const old of [before, order(9, {}, 6), cleared(7)]) {
          expect(await table.upsert(old)).toEqual({ kind: 'stale' });
        }
        expect(await read('1')).toEqual({ order_id: '1', n: 'back' });
        expect(await writer().upsert(order(version + 1, { n: 'on' }, 9))).toEqual({
          kind: 'written',
        });
        expect(await table.upsert(before)).toEqual({ kind: 'stale' });
        expect(await read('1')).toEqual({ order_id: '1', n: 'on' });
      },
    );

    test('a delete without a version, over a record of 450 members, keeps its version and what came first', async () => {
      const { table, read, times } = await open({ nowMs: () => 1_900_000_000_000 });
      const wide = Object.fromEntries(Array.from({ length: 450 }, (_, at) => [`m${at}`, at]));
      const before = order(5, wide);
      await table.upsert(before);
      expect(await table.upsert(cleared(7))).toEqual({ kind: 'written' });
      expect(await read('1')).toBeUndefined();
      expect(await table.upsert(order(6, wide, 6))).toEqual({ kind: 'stale' });
      expect(await table.upsert(order(2, wide, 8))).toEqual({ kind: 'written' });
      expect(await table.upsert(before)).toEqual({ kind: 'stale' });
      expect(await read('1')).toEqual({ order_id: '1', ...wide });
      expect((await times('1')).firstSeen).toBe('2030-03-17T17:46:40.000Z');
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
