import { expect, test } from 'vitest';
import { timestampOfMs } from '#core/record/timestamp';
import type { Timestamp } from '#core/record/timestamp';
import { historyDates } from '#core/source/history-dates';

const at = timestampOfMs;

test.each<[string, (Timestamp | undefined)[], Timestamp[]]>([
  ['as it says', [at(5), at(3), at(7)], [at(5), at(3), at(7)]],
  ['as late as what came before it', [at(5), at(3), undefined], [at(5), at(3), at(5)]],
  ['or as the first that says', [undefined, at(5), at(3)], [at(5), at(5), at(3)]],
  ['or as the end', [undefined, undefined], [at(9), at(9)]],
  ['and no row has none', [], []],
])('a row of history is dated %s', (_how, times, dates) => {
  expect(historyDates(times, at(9))).toEqual(dates);
});
