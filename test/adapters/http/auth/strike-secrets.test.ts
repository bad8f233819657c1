import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { secretStrikes, strikeCredentials, strikeTexts } from '#adapters/http/auth/strike-secrets';

const ofHeader = (authorization: string) =>
  strikeCredentials({ kind: 'credentials', headers: { authorization }, params: {} });
const ofParam = (value: string) =>
  strikeCredentials({ kind: 'credentials', headers: {}, params: { api_key: value } });
const unicode = (text: string) =>
  text.replaceAll(/./gs, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`);
const percent = (text: string) =>
  Buffer.from(text)
    .toString('hex')
    .replaceAll(/../g, (byte) => `%${byte}`);

/** How one character may be written in JSON, and in an address in it. */
const WAYS: Readonly<Record<string, (one: string) => string>> = {
  plain: (one) => JSON.stringify(one).slice(1, -1),
  slash: (one) => (one === '/' ? String.raw`\/` : JSON.stringify(one).slice(1, -1)),
  unicode,
  'unicode in capitals': (one) => unicode(one).replaceAll(/[a-f]/g, (digit) => digit.toUpperCase()),
  percent,
  'percent in capitals': (one) => percent(one).toUpperCase(),
  'percent twice': (one) => percent(one).replaceAll('%', '%25'),
  'a form': (one) => (one === ' ' ? '+' : JSON.stringify(one).slice(1, -1)),
  'JSON in JSON': (one) => JSON.stringify(JSON.stringify(one).slice(1, -1)).slice(1, -1),
};

describe('a secret', () => {
  test.each([
    ['ab%2fcd%2bef%3d%3dxyz', 'in small percent'],
    [String.raw`ab\/cd+ef==xyz`, 'with its slash escaped'],
    [String.raw`ab/cd\u002Bef\u003d\u003dxyz`, 'with its signs escaped'],
    ['ab%252Fcd%252Bef%253D%253Dxyz', 'in an address within an address'],
  ])('that is said back as %s is struck', (said) => {
    for (const strike of [ofParam('ab/cd+ef==xyz'), ofHeader('Bearer ab/cd+ef==xyz')]) {
      expect(strike(`{"args":{"api_key":"${said}"},"self":"/o?api_key=${said}&id=2"}`)).toBe(
        '{"args":{"api_key":"***"},"self":"/o?api_key=***&id=2"}',
      );
    }
  });

  test('is struck in whatever way each of its characters is written, and leaves JSON', () => {
    const secret = fc
      .string({ unit: fc.constantFrom(...'aZ09+/=&%_-.:"\\ é{}()[]|?*^$'), minLength: 8 })
      .filter((text) => text.trim() === text && !/^[\d.eE+-]+$/.test(text));
    const way = fc.constantFrom(...Object.values(WAYS));
    const ways = fc.array(way, { minLength: 1, maxLength: 5 });
    const around = fc.string({ unit: fc.constantFrom(...'xyz -,"\\/é'), maxLength: 4 });
    fc.assert(
      fc.property(secret, ways, around, around, (text, spelt, before, after) => {
        const said = Array.from(text, (one, at) => spelt[at % spelt.length]!(one)).join('');
        const quoted = (part: string) => JSON.stringify(part).slice(1, -1);
        const struck = ofHeader(`Bearer ${text}`)(`"${quoted(before)}|${said}|${quoted(after)}"`);
        expect(JSON.parse(struck)).toBe(`${before}|***|${after}`);
      }),
      { numRuns: 150 },
    );
  });

  test.each(['aB3_-.x', '-_.~+/='])('of 16 kilobytes of %s is struck as well', (of) => {
    const long = Array.from({ length: 16_000 }, (_, at) => of[(at * at) % 7]).join('');
    expect(ofHeader(`Bearer ${long}`)(`{"a":"Bearer ${long}","b":"${long}"}`)).toBe(
      '{"a":"***","b":"***"}',
    );
  });

  test.each(['ab-Cdefghi😀xyz-91', 'abcdefghijk😀lm', 'Zabcdefg', 'abcdefg7'])(
    '%s is found by the part of it that is looked for first',
    (secret) => {
      expect(ofParam(secret)(`?q=${encodeURIComponent(secret)}&r=${secret}`)).toBe('?q=***&r=***');
    },
  );

  test('stands in its text without the line end that its file had', () => {
    expect(ofHeader('Bearer tok-3f9c\n')('"tok-3f9c"')).toBe('"***"');
  });

  test.each([
    ['of a bearer', 'Bearer tok-3f9c', 'Bearer tok-3f9c tok-3f9c', '*** ***'],
    ['within quotes', 'Token token="tok-3f9c"', 'x tok-3f9c', 'x ***'],
    ['of a login', `Basic ${btoa('ada:pass-3f9c')}`, 'ada pass-3f9c', 'ada ***'],
    ['of a login, encoded', `Basic ${btoa('ada:pass-3f9c')}`, btoa('ada:pass-3f9c'), '***'],
    ['that is the name of a login', `Basic ${btoa('key-3f9c:X')}`, 'key-3f9c X', '*** X'],
    ['that is its password', `Basic ${btoa('a-person:pass-3f9c')}`, 'a-person', 'a-person'],
  ])('%s is known', (_whose, authorization, said, struck) => {
    expect(ofHeader(authorization)(said)).toBe(struck);
  });
});

describe('a short secret', () => {
  test('of a query is struck behind its name alone', () => {
    expect(ofParam('k1')('{"k1":1,"api_key" : "k1","self":"?api_key%3Dk1&x=k1"}')).toBe(
      '{"k1":1,"api_key" : "***","self":"?api_key%3D***&x=k1"}',
    );
  });

  test('of a header stands in any text', () => {
    expect(ofHeader('3')('{"page":3,"text":"3"}')).toBe('{"page":3,"text":"3"}');
    expect(ofHeader(`Basic ${btoa('u:3')}`)('{"page":3,"u":"u:3"}')).toBe('{"page":3,"u":"u:3"}');
  });
});

test('a secret of digits is struck within texts, and in no number', () => {
  const strike = ofParam('1234567890');
  expect(strike('{"id":1234567890,"n":[1234567890,-1234567890.5], "t": 1234567890}')).toBe(
    '{"id":1234567890,"n":[1234567890,-1234567890.5], "t": 1234567890}',
  );
  expect(strike('{"id":"1234567890","self":"?api_key=1234567890&x=12345678901"}')).toBe(
    '{"id":"***","self":"?api_key=***&x=12345678901"}',
  );
});

test('a text without a secret is the same text, and no credentials strike nothing', () => {
  const text = '{"a":"tok-3f9","b":"%tok+"}';
  expect(ofHeader('Bearer tok-3f9c')(text)).toBe(text);
  expect(strikeTexts([])(text)).toBe(text);
  expect(ofParam('')(text)).toBe(text);
});

test('credentials that are shown anew are struck from then on', () => {
  const strikeOf = secretStrikes();
  const shown = (authorization: string) =>
    strikeOf({ kind: 'credentials', headers: { authorization }, params: {} });
  expect(shown('Bearer first-3f9c')('first-3f9c next-91fe')).toBe('*** next-91fe');
  expect(shown('Bearer next-91fe')('first-3f9c next-91fe')).toBe('first-3f9c ***');
});
