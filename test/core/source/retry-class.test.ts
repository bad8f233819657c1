import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { retryClass } from '#core/source/retry-class';

test.each([
  [400, 'no'],
  [401, 'no'],
  [403, 'no'],
  [404, 'no'],
  [408, 'yes'],
  [409, 'no'],
  [410, 'no'],
  [422, 'no'],
  [423, 'yes'],
  [425, 'yes'],
  [429, 'after-wait'],
  [500, 'yes'],
  [501, 'no'],
  [502, 'yes'],
  [503, 'yes'],
  [504, 'yes'],
  [505, 'no'],
  [507, 'yes'],
  [529, 'yes'],
])('status %i is worth another try: %s', (status, worth) => {
  expect(retryClass(status)).toBe(worth);
});

test('the guide says of each status what the table does', () => {
  const guide = readFileSync('docs/guide/sources.md', 'utf8');
  const words = {
    'after-wait': 'after the wait it names',
    yes: 'yes',
    no: 'no',
  };
  const rows = Array.from(
    guide.matchAll(/^\| status ([\d, ]+)[^|]*\| ([^|]+?) \|/gm),
    ([, statuses = '', answer = '']) =>
      statuses
        .split(',')
        .filter((status) => status.trim() !== '')
        .map((status) => [Number(status), answer] as const),
  ).flat();
  expect(rows.length).toBeGreaterThan(12);
  for (const [status, answer] of rows)
    expect([status, answer]).toEqual([status, words[retryClass(status)]]);
});
