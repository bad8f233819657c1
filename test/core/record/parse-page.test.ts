import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseExact } from '#core/record/exact-json';
import type { JsonValue } from '#core/record/json';
import { parsePage } from '#core/record/parse-page';
import { parsePath, readPath } from '#core/record/path';
import { jsonText } from '#test/core/record/json-text';

function parse(text: string, records: string) {
  const buffer = Buffer.from(text);
  const page = {
    bytes: new Uint8Array(buffer),
    characters: buffer.toString('latin1'),
  };
  const { body, bytesOf } = parsePage(text, page, parsePath(records));
  const writtenOf = (index: number) => {
    const bytes = bytesOf(index);
    return bytes && Buffer.from(bytes).toString();
  };
  return { body, writtenOf };
}

const space = fc.constantFrom('', '', ' ', '\n\t');
const name = fc.constantFrom('a', 'data', '7', 'é', '__proto__', 'a\\"b', 'x'.repeat(40));

/** A page with its records at `path`, and with whatever else around them. */
const page = fc
  .record({
    path: fc.array(fc.oneof(name, fc.constant(1)), { maxLength: 3 }),
    records: fc.array(fc.record({ key: name, one: jsonText, other: jsonText, space }), {
      maxLength: 5,
    }),
    around: jsonText,
    space,
  })
  .map(({ path, records, around, space: gap }) => {
    const members = records.map(
      (one) => `{${JSON.stringify(one.key)}:${one.one},${one.space}"other":${one.other}}`,
    );
    const text = path.reduceRight<string>(
      (inner, step) =>
        step === 1
          ? `[${around},${inner}]`
          : `{"first":${around},${gap}${JSON.stringify(step)}${gap}:${inner}}`,
      `[${members.join(`${gap},`)}]`,
    );
    return { text, path, records, members };
  });

const withoutTexts = (text: string) => text.replaceAll(/"(?:\\.|[^"\\])*"/g, '');

describe('a page', () => {
  test('holds what is parsed by the language itself, digit for digit', () => {
    fc.assert(
      fc.property(page, ({ text }) => {
        expect(JSON.stringify(parse(text, 'data').body)).toBe(JSON.stringify(parseExact(text)));
      }),
      { numRuns: 300 },
    );
  });

  test('knows its records as they were written, but for those that are spread out', () => {
    fc.assert(
      fc.property(
        page.filter(({ path }) => path.every((step) => /^\w+$/.test(String(step)))),
        ({ text, path, records, members }) => {
          fc.pre(!path.includes('__proto__'));
          const { body, writtenOf } = parse(text, path.join('.'));
          const found = readPath(body, path.map(String)) as readonly JsonValue[];
          expect(found).toHaveLength(members.length);
          // A long number under a strange name is not worth a closer look.
          const isStrange = /\\|[^\x20-\x7e]/.test(text);
          for (const [at, { space: gap, one, other }] of records.entries()) {
            const isSpread = gap !== '' || /\s/.test(withoutTexts(one + other));
            const written = writtenOf(at);
            if (written === undefined) expect(isSpread || isStrange).toBe(true);
            else expect([written, isSpread]).toEqual([members[at], false]);
          }
        },
      ),
      { numRuns: 300 },
    );
  });

  test.each([
    ['{"a":{"b":1.0},"a":2.50,"c":1,"c":[3.0]}', '{"a":2.50,"c":[3.0]}'],
    ['{"a":2.50,"a":"x"}', '{"a":"x"}'],
    ['{"a":{"b":1.0},"a":7}', '{"a":7}'],
    ['{"a":12345678901234567890,"a":12345678901234567891}', '{"a":12345678901234567891}'],
  ])('in which a name stands twice, %s, holds the last', (text, said) => {
    expect(JSON.stringify(parse(text, '').body)).toBe(said);
  });

  test('leaves no name to the language', () => {
    const { body } = parse('{"__proto__":{"n":1.0},"constructor":{"prototype":{"n":2.0}}}', '');
    expect(JSON.stringify(body)).toBe(
      '{"__proto__":{"n":1.0},"constructor":{"prototype":{"n":2.0}}}',
    );
    expect(({} as Record<string, unknown>)['n']).toBeUndefined();
  });

  test('whose name that leads to the records stands twice gives no bytes of the first', () => {
    const { writtenOf } = parse('{"a":{"b":[{"n":1}]},"a":{"c":2},"a.b":[{"n":2}]}', 'a.b');
    expect(writtenOf(0)).toBeUndefined();
  });

  test('takes no digits to what a name leads to in the language', () => {
    const text = '{"a":{"toString":{"length":0.0}},"a":{}}';
    expect(JSON.stringify(parse(text, '').body)).toBe('{"a":{}}');
  });

  test.each([
    '{"data":[{"a":1}],"d\\u0061ta":[{"a":2}]}',
    '{"d\\u0061ta":[{"a":1}],"data":[{"a":2}]}',
  ])('whose name of the records stands twice, in two ways, gives no wrong bytes: %s', (text) => {
    const { body, writtenOf } = parse(text, 'data');
    expect(JSON.stringify(body)).toBe('{"data":[{"a":2}]}');
    expect(writtenOf(0) ?? '{"a":2}').toBe('{"a":2}');
  });

  test('that nests deeper than is looked is read all the same, and its records are written anew', () => {
    const deep = `[{"a":${'['.repeat(200)}1${']'.repeat(200)}}]`;
    const { body, writtenOf } = parse(deep, '');
    expect(JSON.stringify(body)).toBe(deep);
    expect(writtenOf(0)).toBeUndefined();
  });

  test.each(['1.0', '9007199254740993', '-0', '1e400', '0.30000000000000001'])(
    'keeps the digits of %s wherever it stands',
    (number) => {
      for (const text of [number, `[${number}]`, `{"a":{"b":[${number},1]}}`]) {
        expect(JSON.stringify(parse(text, '').body)).toBe(text);
      }
    },
  );

  test.each(['{"a":1', '[1,]', '', 'x'])('that is no JSON, %j, is a syntax error', (text) => {
    expect(() => parse(text, '')).toThrow(SyntaxError);
  });
});

test('of records that are no objects, and of those at another place, nothing is known', () => {
  const { writtenOf } = parse('{"data":[1,"x",null,[{"a":1}],{"a":1}],"more":[{"b":1}]}', 'data');
  expect([0, 1, 2, 4, 5].map(writtenOf)).toEqual([
    undefined,
    undefined,
    undefined,
    '{"a":1}',
    undefined,
  ]);
});

test('of two arrays of one name the last is asked', () => {
  const { writtenOf } = parse('{"data":[{"a":1},{"b":1}],"data":[1,{"c":1}]}', 'data');
  expect([0, 1].map(writtenOf)).toEqual([undefined, '{"c":1}']);
});
