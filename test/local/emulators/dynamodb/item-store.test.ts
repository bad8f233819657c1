import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { NO_BYTES, openItemStore } from '#local/emulators/dynamodb/item-store';
import type { ItemStore } from '#local/emulators/dynamodb/item-store';
import { openStorage } from '#local/storage';

const PLACE = {
  place: 1,
  partitionKey: { name: 'pk', type: 'S' as const },
  sortKey: undefined,
};
const KEY = { partition: Buffer.from('a'), sort: NO_BYTES, base: NO_BYTES };
const stored = (text: string, bytes = 10) => ({ item: { pk: { S: text } }, bytes });
const textsOf = (items: ItemStore) =>
  Array.from(items.scan(PLACE, { after: undefined, segment: undefined }), ({ item }) =>
    Object.values(item['pk'] ?? {}).join(),
  );

test('an item whose write was taken back is as it was before', () => {
  const items = openItemStore(openStorage());
  items.put(PLACE, KEY, stored('before'));
  const failing = () =>
    items.atomically(() => {
      items.put(PLACE, KEY, stored('after'));
      throw new Error('no');
    });
  expect(failing).toThrow('no');
  expect(items.get(PLACE, KEY)?.item).toEqual({ pk: { S: 'before' } });
  expect(textsOf(items)).toEqual(['before']);
});

test('a scan, a count and a deletion see what was written just before', () => {
  const items = openItemStore(openStorage());
  items.put(PLACE, KEY, stored('first'));
  items.put(PLACE, KEY, stored('second', 17));
  expect(textsOf(items)).toEqual(['second']);
  items.put(PLACE, { ...KEY, sort: Buffer.from('b') }, stored('third', 5));
  expect(items.sizeOf(PLACE)).toEqual({ items: 2, bytes: 22 });
  items.put(PLACE, KEY, stored('fourth'));
  items.delete(PLACE, KEY);
  expect(items.get(PLACE, KEY)).toBeUndefined();
  expect(textsOf(items)).toEqual(['third']);
  items.put(PLACE, KEY, stored('fifth'));
  items.removeAll(PLACE);
  expect(textsOf(items)).toEqual([]);
});

test('a file holds an item as soon as it was written', () => {
  const directory = mkdtempSync(join(tmpdir(), 'items-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  const file = join(directory, 'items.sqlite');
  openItemStore(openStorage(file)).put(PLACE, KEY, stored('kept'));
  expect(textsOf(openItemStore(openStorage(file)))).toEqual(['kept']);
});

test('more items than are remembered are still there', () => {
  const items = openItemStore(openStorage());
  const keys = Array.from({ length: 40 }, (_, at) => ({ ...KEY, sort: Buffer.from([at]) }));
  for (const [at, key] of keys.entries()) items.put(PLACE, key, stored(`${at}`, 1024 * 1024));
  expect(keys.map((key) => items.get(PLACE, key)?.item['pk'])).toEqual(
    keys.map((_, at) => ({ S: `${at}` })),
  );
});
