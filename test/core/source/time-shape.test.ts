import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseExact } from '#core/record/exact-json';
import { renderTimestamp, timestampOfMs } from '#core/record/timestamp';
import type { TimeFormat } from '#core/record/timestamp';
import { timeShape } from '#core/source/time-shape';

/** 1974 to 5138, in whole seconds. */
const second = fc.integer({ min: 126_230_400, max: 99_999_999_999 });

test('whatever the second, each way to write it is told from every other', () => {
  fc.assert(
    fc.property(second, (sec) => {
      const written = (format: TimeFormat) => renderTimestamp(timestampOfMs(sec * 1_000), format);
      const iso = written('iso');
      const shapes = {
        iso,
        'epoch-s': written('epoch-s'),
        'epoch-ms': written('epoch-ms'),
        'epoch-us': `${written('epoch-ms')}000`,
        'epoch-ns': `${written('epoch-ms')}000000`,
        'no-offset': iso.slice(0, -1),
        date: iso.slice(0, 10),
      };
      for (const [shape, text] of Object.entries(shapes)) expect(timeShape(text)).toBe(shape);
      for (const format of ['epoch-s', 'epoch-ms'] as const) {
        expect(timeShape(Number(written(format)))).toBe(format);
      }
    }),
  );
});

test.each([
  ['2031-04-16T13:54:35.063+02:00', 'iso'],
  ['2031-04-16 13:54:35,063', 'no-offset'],
  ['2031-04-16T13:54', 'no-offset'],
  ['1900000000.25', 'epoch-s'],
])('%s is %s', (text, shape) => {
  expect(timeShape(text)).toBe(shape);
});

test('digits beyond a double are an epoch all the same', () => {
  expect(timeShape(parseExact('1900000000000000001'))).toBe('epoch-ns');
});

test.each([undefined, null, true, '', 'soon', '16/04/2031', 7, -5, '99999999', [], {}])(
  '%j looks like no time',
  (value) => {
    expect(timeShape(value)).toBe(undefined);
  },
);
