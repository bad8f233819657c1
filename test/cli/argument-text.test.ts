/** What a person types is text, whatever it looks like. */
import { expect, test } from 'vitest';
import { cloudAnswering, said } from './cloud-answering.ts';

test.each([
  ['CLI-01: leading zeros', '00123'],
  ['CLI-04: a dotted id', '3275311328.17418201121'],
  ['CLI-04: an exponent', '1e5'],
  ['a hexadecimal number', '0x10'],
  ['a word of JSON', 'null'],
])('%s in a key arrives as typed', async (_, key) => {
  const asked: string[] = [];
  const cloud = await cloudAnswering(200, '{}', asked);
  const { code, err } = await said('get', 'orders', key, '--cloud', cloud);
  expect({ code, err }).toEqual({
    code: 1,
    err: `The table penstock-dev-orders-orders holds no '${key}'.\n`,
  });
  expect(JSON.parse(asked.join(''))).toMatchObject({ Key: { order_id: { S: key } } });
});

test('CLI-04: a number is none of a different spelling', async () => {
  expect(await said('tail', 'orders', '-n', '1e5')).toEqual({
    code: 2,
    out: '',
    err: "--number must be a whole number, not '1e5'.\n",
  });
});
