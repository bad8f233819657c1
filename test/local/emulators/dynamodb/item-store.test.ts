import { expect, test } from 'vitest';
import { NO_BYTES, openItemStore } from '#local/emulators/dynamodb/item-store';
import { atomically } from '#local/emulators/dynamodb/state';
import { openStorage } from '#local/storage';

const PLACE = {
  place: 1,
  partitionKey: { name: 'pk', type: 'S' as const },
  sortKey: undefined,
};
const KEY = { partition: Buffer.from('a'), sort: NO_BYTES, base: NO_BYTES };
const stored = (text: string, bytes = 10) => ({ item: { pk: { S: text } }, bytes });

test('an item whose write was taken back is as it was before', () => {
  const storage = openStorage();
  const items = openItemStore(storage);
  items.put(PLACE, KEY, stored('before'));
  const failing = () =>
    atomically({ storage, items }, () => {
      items.put(PLACE, KEY, stored('after'));
      throw new Error('no');
    });
  expect(failing).toThrow('no');
  expect(items.get(PLACE, KEY)?.item).toEqual({ pk: { S: 'before' } });
});

test('more items than are remembered are still there', () => {
  const items = openItemStore(openStorage());
  const keys = Array.from({ length: 40 }, (_, at) => ({ ...KEY, sort: Buffer.from([at]) }));
  for (const [at, key] of keys.entries()) items.put(PLACE, key, stored(`${at}`, 1024 * 1024));
  expect(keys.map((key) => items.get(PLACE, key)?.item['pk'])).toEqual(
    keys.map((_, at) => ({ S: `${at}` })),
  );
});
