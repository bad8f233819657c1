/** A smoke share of `npm run sim:source`: every combination of kinds once. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { reachedBy } from '#test/simulation/smoke';
import { sources } from '#test/tidy/sources';
import { COMBINATIONS } from './scenario.ts';
import { runSchedule } from './schedule.ts';
import { PAGING_KINDS } from './server/paging.ts';
import { WANTED } from './wanted.ts';

test('POLL-21: whatever a source of any kind does while it is polled, at rest the table is the source', async () => {
  expect(await reachedBy(runSchedule, COMBINATIONS.length)).toEqual(
    expect.arrayContaining([...WANTED]),
  );
});

test('the source and the judge share nothing with the poller', () => {
  const theirs = [...sources('test/simulation/source/server'), 'test/simulation/source/judge.ts'];
  const imported = theirs.flatMap((path) =>
    [...readFileSync(path, 'utf8').matchAll(/from '([^']+)'/g)].map(([, name]) => name),
  );
  const foreign = imported.filter(
    (name) => !/^(\.\/|node:assert|#test\/simulation\/dice)/.test(String(name)),
  );
  expect(foreign).toEqual([]);
});

test('the guide says of each kind what is promised', () => {
  const guide = readFileSync('docs/guide/sources.md', 'utf8');
  const word = (is: boolean) => (is ? 'yes' : 'no');
  const rows = PAGING_KINDS.map(
    (kind) =>
      `| ${kind.name} | ${word(kind.rowsMayLeave)} | ${word(kind.keepsOrder)} | ${word(kind.momentsMayTie)} |`,
  );
  expect(rows.filter((row) => !guide.includes(row))).toEqual([]);
});
