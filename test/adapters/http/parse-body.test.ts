import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { AnswerFault } from '#adapters/http/answer-fault';
import { parseBody } from '#adapters/http/parse-body';
import type { BodyForm } from '#adapters/http/parse-body';

const TYPE = 'text/plain';

function parse(text: string, form: BodyForm = 'json') {
  try {
    return { value: parseBody(text, { form, records: [], contentType: TYPE }).body };
  } catch (error) {
    if (!(error instanceof AnswerFault)) throw error;
    return { kind: error.kind, detail: error.message };
  }
}

const jsonText = fc
  .tuple(fc.jsonValue({ maxDepth: 3 }), fc.constantFrom('', ' ', '\t\n'))
  .map(([value, indent]) =>
    JSON.stringify({ value, e: -1.5e-7, odd: '\ud800\n"\\' }, null, indent),
  );

describe('JSON', () => {
  test('that breaks off anywhere is worth another try, and never refused', () =>
    fc.assert(
      fc.property(jsonText, fc.nat(), (text, at) => {
        const torn = text.slice(0, at % text.length);
        const detail =
          torn.trim() === ''
            ? 'the answer was empty'
            : `the answer broke off after ${torn.length} characters`;
        expect(parse(torn)).toEqual({ kind: 'unavailable', detail });
      }),
      { numRuns: 500 },
    ));

  test.each([
    '{"a":1}x',
    '{"a":x}',
    '[1 2',
    '"\\uzz',
    '{"a":1,}',
    '[01]',
    '"\n"',
    'end of JSON input',
  ])('that is wrong before its end, %j, is refused', (text) => {
    const detail = `the source answered what is not JSON (${TYPE})`;
    expect(parse(text)).toEqual({ kind: 'refused', detail });
  });

  test.each(['Unexpected end of JSON input', 'x in JSON at position 99 (line 1 column 100)'])(
    'that quotes a parser, %j, is judged by what it is',
    (text) => expect(parse(text)).toMatchObject({ kind: 'refused' }),
  );

  test('gives each record in the bytes that stand for it, whatever characters are before', () =>
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'binary' }).map((text) => [text])), (values) => {
        const records = values.map((value) => JSON.stringify({ value }));
        const shape = { form: 'json', records: ['of'], contentType: TYPE } as const;
        const { bytesOf } = parseBody(`{"é":"€","of":[${records.join(',')}]}`, shape);
        const found = records.map((_, at) => String(Buffer.from(bytesOf(at) ?? [])));
        expect(found).toEqual(records);
      }),
    ));

  test('of two members of one name holds the last, digits and all', () => {
    const text = '{"a":{"b":1.0},"a":2.50,"c":1,"c":[3.0]}';
    const found = parse(text);
    expect('value' in found && JSON.stringify(found.value)).toBe('{"a":2.50,"c":[3.0]}');
  });
});

describe('values as small as can be', () => {
  const many = (value: string, count: number) => `[${`${value},`.repeat(count - 1)}${value}]`;

  test.each<[string, BodyForm]>([
    ['{}', 'json'],
    ['[]', 'json'],
    ['1.0,1.0', 'json'],
    ['{}', 'lines'],
  ])('by the million, %s in %s, are refused before they fill the memory', (value, form) => {
    const detail =
      'the answer holds more than 1500000 values: ask for smaller pages (source.pageSize)';
    expect(parse(many(value, 3_000_000), form)).toEqual({ kind: 'refused', detail });
  });

  test('are read where they are fewer, in a text of any length', () => {
    const text = many(JSON.stringify('x'.repeat(30)), 300_000);
    expect(parse(text)).toHaveProperty('value.length', 300_000);
  });
});

const record = fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 4 });
const filler = fc.array(fc.constantFrom('\n', '\r\n', ' \t\n'), { maxLength: 2 });
const line = fc.record({ value: record, end: fc.constantFrom('\n', '\r\n'), filler });
const lines = fc.array(line, { maxLength: 6 });
/** Numbers as they were written. */
const textOf = (found: object) => 'value' in found && JSON.stringify(found.value);

describe('lines', () => {
  test('are a value each, blank ones none, with or without a newline at the end', () =>
    fc.assert(
      fc.property(lines, fc.boolean(), (all, isTrimmed) => {
        const parts = all.map((one) => JSON.stringify(one.value) + one.end + one.filler.join(''));
        const text = isTrimmed ? parts.join('').trimEnd() : parts.join('');
        expect(textOf(parse(text, 'lines'))).toBe(JSON.stringify(all.map(({ value }) => value)));
      }),
    ));

  test('that break off anywhere are those before, or worth another try', () =>
    fc.assert(
      fc.property(lines, fc.nat(), (all, at) => {
        const text = all.map(({ value }) => `${JSON.stringify(value)}\n`).join('');
        const torn = text.slice(0, at % (text.length + 1));
        const found = parse(torn, 'lines');
        const ended = torn.split('\n').length - 1;
        if ('value' in found) {
          const count = Array.isArray(found.value) ? found.value.length : -1;
          expect(textOf(found)).toBe(JSON.stringify(all.slice(0, count).map(({ value }) => value)));
          expect(torn.length === 0 || torn.endsWith('\n') || torn.endsWith('}')).toBe(true);
          expect(count).toBeGreaterThanOrEqual(ended);
        } else {
          const detail = `the answer broke off in line ${ended + 1}`;
          expect(found).toEqual({ kind: 'unavailable', detail });
        }
      }),
    ));

  test.each([
    ['{"a":1}\n\n{"a":\n{"a":3}\n', 3],
    ['{"a":1}\n{"a":2}{"a":3}\n', 2],
    ['{"a":1}\nmaintenance', 2],
  ])('of which one in %j is wrong are refused by its number', (text, number) => {
    const detail = `line ${number} of the answer is not JSON (${TYPE})`;
    expect(parse(text, 'lines')).toEqual({ kind: 'refused', detail });
  });

  test('keep their digits', () => {
    const text = '{"id":36028813724316572,"p":10.00}\n{"id":1e400}';
    const found = parse(text, 'lines');
    expect(textOf(found)).toBe(`[${text.replace('\n', ',')}]`);
  });

  test('of HTML are none', () => {
    expect(parse(' <html>\n', 'lines')).toMatchObject({ kind: 'refused' });
  });

  test('that nest too deep to keep their digits are named', () => {
    const deep = `${'['.repeat(100_000)}1.0${']'.repeat(100_000)}`;
    const detail = 'line 2 nests too deep to be read';
    expect(parse(`{}\n${deep}\n`, 'lines')).toEqual({ kind: 'refused', detail });
  });
});
