/** What other programs store in a table can be read back, whatever it is. */
import { DynamoDBClient, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, expect, test } from 'vitest';
import { canonicalText, fromItem } from '#cli/reconcile/exact-text';
import { itemJson } from '#cli/render/item';
import { getOne, scanAll } from '#cli/table-reader';
import { embeddedEndpoint } from '#test/contracts/embedded-endpoint';
import { endpointPorts } from '#test/contracts/endpoint-ports';

const endpoint = await embeddedEndpoint();
afterAll(endpoint.close);

async function stored(item: ConstructorParameters<typeof PutItemCommand>[0]['Item']) {
  const { dynamodb, tableName } = await endpointPorts(endpoint).records();
  await dynamodb.send(new PutItemCommand({ TableName: tableName, Item: item }));
  const read = await getOne(dynamodb, { table: tableName, key: { order_id: '1' } });
  const [scanned] = await scanAll(dynamodb as DynamoDBClient, tableName);
  expect(scanned).toEqual(read);
  return read ?? {};
}

test('SINK-02: a large decimal that someone else stored is read back with all its digits', async () => {
  const item = await stored({ order_id: { S: '1' }, total: { N: '-9007199254740998.25' } });
  expect(itemJson(item)).toBe('{"order_id":"1","total":-9007199254740998.25}');
  expect(canonicalText(fromItem(item))).toBe('{"order_id":"1","total":-900719925474099825e-2}');
});

test('sets and bytes that someone else stored are read back as lists and base64', async () => {
  const item = await stored({
    order_id: { S: '1' },
    tags: { SS: ['b', 'a'] },
    counts: { NS: ['9007199254740993', '2'] },
    raw: { B: Uint8Array.of(255, 0) },
    raws: { BS: [Uint8Array.of(1)] },
  });
  const { tags, counts, ...printed } = JSON.parse(
    itemJson(item).replace('9007199254740993', '"big"'),
  );
  expect(printed).toEqual({ order_id: '1', raw: '/wA=', raws: ['AQ=='] });
  expect([tags.toSorted(), counts.toSorted()]).toEqual([
    ['a', 'b'],
    [2, 'big'],
  ]);
  expect(canonicalText(fromItem(item))).toBe(
    '{"counts":{"DynamoDB NS":["2","9007199254740993"]},"order_id":"1","raw":{"DynamoDB B":"/wA="},' +
      '"raws":{"DynamoDB BS":["AQ=="]},"tags":{"DynamoDB SS":["a","b"]}}',
  );
});
