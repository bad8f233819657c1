import fc from 'fast-check';
import { expect, test } from 'vitest';
import { splitLines } from '#local/lambda/functions/split-lines';

test('however the bytes are cut, the lines are those of the text', () => {
  const line = fc.string({ unit: 'binary' }).map((text) => text.replace(/[\r\n]/g, ''));
  fc.assert(
    fc.property(fc.array(line), fc.array(fc.integer({ min: 1, max: 9 })), (lines, cuts) => {
      const bytes = Buffer.from(lines.map((text) => `${text}\n`).join(''));
      const seen: string[] = [];
      const splitter = splitLines((text) => seen.push(text));
      let at = 0;
      for (const cut of cuts) splitter.push(bytes.subarray(at, (at += cut)));
      splitter.push(bytes.subarray(at));
      splitter.end();
      expect(seen).toEqual(lines.map((text) => text.toWellFormed()));
    }),
  );
});

test('a last line without an end is given out once, at the end', () => {
  const seen: string[] = [];
  const splitter = splitLines((text) => seen.push(text));
  splitter.push(Buffer.from('whole\r\nhal'));
  expect(seen).toEqual(['whole']);
  splitter.push(Buffer.from('f'));
  splitter.end();
  splitter.end();
  expect(seen).toEqual(['whole', 'half']);
});
