import { expect, test } from 'vitest';
import { said } from './cloud-answering.ts';

test('a key of more parts than the record has is answered with those it has, before any cloud is asked', async () => {
  expect(await said('get', 'orders', 'acme', '7')).toEqual({
    code: 2,
    out: '',
    err: 'A key of orders is order_id: get orders <order_id>.\n',
  });
});
