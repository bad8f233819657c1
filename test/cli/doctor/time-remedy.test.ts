import { expect, test } from 'vitest';
import { everyRow, examine, ms, PIPELINE } from './examine.ts';

test.each([
  [
    'no-offset',
    (at: unknown) => String(at).slice(0, 19),
    'a time without an offset',
    "local', and source.timeZone",
  ],
  ['a date', (at: unknown) => String(at).slice(0, 10), 'a date without a time', "date'"],
  ['epoch-us', (at: unknown) => ms(at) * 1_000, 'epoch microseconds', "epoch-us'"],
])(
  'of an event time that is %s, the doctor names the format that reads it',
  async (_shape, written, words, remedy) => {
    const { findings } = await examine({
      api: everyRow((row) => ({ stamp: written(row.changed_at) })),
      file: { record: { ...PIPELINE.record, eventTime: 'stamp' } },
    });
    expect(findings.map(({ sentence }) => sentence)).toEqual([
      `\`stamp\` holds ${words}, and the file declares ISO 8601 with an offset: write '${remedy}.`,
    ]);
  },
);
