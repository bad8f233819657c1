/** What a file may say of a table's items: their key and the names of their members. */
import { describe, expect, test } from 'vitest';
import { keyNames, keyPaths } from '#config/record-key';
import { faultsOf, settingsOf, ticketsInput } from '#test/config/pipeline-input';

const withKey = (key: unknown) => ({
  ...ticketsInput(),
  record: { ...ticketsInput().record, key },
});
const withTable = (table: object, key: unknown = 'meta.ticket_id') => ({
  ...withKey(key),
  consumers: [{ ...ticketsInput().consumers[0], ...table }],
});

describe('a key of two parts', () => {
  test('decides the shard as a whole, and its last segments name the keys of the table', () => {
    const { record } = settingsOf(withKey(['tenant.id', 'order_id']));
    expect(keyPaths(record.partitionBy)).toEqual(['tenant.id', 'order_id']);
    expect(keyNames(record.key)).toEqual(['id', 'order_id']);
  });

  test.each([
    [['a'], 'record.key: must be one dot path, or two'],
    [['a', 'b', 'c'], 'record.key: must be one dot path, or two'],
    [[], 'record.key: must be one dot path, or two'],
    [7, 'record.key: must be one dot path, or two'],
    ['a..b', "record.key: must be a dot path such as 'properties.updated'"],
    [['a', 'b..c'], "record.key[1]: must be a dot path such as 'properties.updated'"],
    [['a', 7], 'record.key[1]: must be text'],
    [
      ['id', 'customer.id'],
      "record.key: both paths end in 'id', and a table's two keys have two names",
    ],
    [['id', 'meta._shape'], "record.key: '_shape' is an attribute that Penstock writes itself"],
    [undefined, 'record.key: is missing'],
  ])('%j is refused', (key, sentence) => expect(faultsOf(withKey(key))).toEqual([sentence]));
});

describe("a table's attributes", () => {
  test('may rename what an item cannot hold, and a member that has the name of a deeper key', () => {
    const attributes = { _version: 'source_version', ticket_id: 'number', note: false };
    const [consumer] = settingsOf(withTable({ attributes })).consumers;
    expect(consumer).toMatchObject({ attributes, mode: 'replace' });
  });

  test.each([
    [{ a: 'b', c: 'b' }, "c: 'b' is already the new name of 'a'"],
    [{ a: '_updated' }, "a: '_updated' is an attribute that Penstock writes itself"],
    [{ a: 'ticket_id' }, "a: 'ticket_id' is the name of the table's key"],
    [{ a: true }, 'a: must be a name, or false'],
    [{ a: '' }, 'a: must be a name, or false'],
  ])('%j are refused', (attributes, sentence) =>
    expect(faultsOf(withTable({ attributes }))).toEqual([`consumers[0].attributes.${sentence}`]),
  );

  test.each(['x', false])('cannot make %j of the key itself', (name) =>
    expect(faultsOf(withTable({ attributes: { id: name } }, ['tenant', 'id']))).toEqual([
      "consumers[0].attributes.id: is the table's key, which keeps its name",
    ]),
  );
});

test('a mode that there is not is answered with those there are', () => {
  expect(faultsOf(withTable({ mode: 'upsert' }))).toEqual([
    "consumers[0].mode: must be 'replace' or 'merge'",
  ]);
});
