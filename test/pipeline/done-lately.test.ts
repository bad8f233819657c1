import { expect, test } from 'vitest';
import { doneLately } from '#pipeline/done-lately';

test('what was added is known until as many came after it as it holds', () => {
  const done = doneLately(3);
  for (const id of ['a', 'b', 'c', 'a', 'd']) done.add(id);
  expect(['a', 'b', 'c', 'd', 'e'].filter(done.has)).toEqual(['b', 'c', 'd']);
});
