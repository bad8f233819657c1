import fc from 'fast-check';
import { expect, test } from 'vitest';
import { putParams } from '#adapters/http/query-text';

const put = (query: string, params: Record<string, string>) => {
  const url = new URL(`https://api.test/o${query}`);
  putParams(url, params);
  return url.search;
};

test('what a place wrote stays as it wrote it, byte for byte', () => {
  const written = '?after=a%20b~c*(1)!&flag&q=%E9&$skip=1,2:3/4&x=%2f+%2F';
  expect(put(written, { key: 'k+1' })).toBe(`${written}&key=k%2B1`);
});

test('a parameter that is set stands there once, however it was spelt', () => {
  expect(put('?key=old&a=1&k%65y=older', { key: 'new', b: '2' })).toBe('?a=1&key=new&b=2');
});

test('of no parameters nothing changes', () => {
  expect(put('?', {})).toBe('');
  expect(put('?&&a=1&', {})).toBe('?&&a=1&');
});

test('what is set is read back, beside what was there', () => {
  const text = fc.string({ unit: 'grapheme', maxLength: 6 });
  const params = fc.dictionary(text, text, { noNullPrototype: true, maxKeys: 3 });
  fc.assert(
    fc.property(fc.array(fc.tuple(text, text), { maxLength: 4 }), params, (there, set) => {
      const query = new URLSearchParams(there).toString();
      const read = [...new URLSearchParams(put(`?${query}`, set))];
      const others = there.filter(([name]) => !Object.hasOwn(set, name));
      expect(read).toEqual([...others, ...Object.entries(set)]);
    }),
  );
});
