/** What commands say of a source that is asked by token. */
import { expect, test } from 'vitest';
import { checkByToken } from '#cli/doctor/checks/times';
import type { Observed } from '#cli/doctor/finding';
import { changeLines, standingJson, standingLines } from '#cli/render/poll-standing';
import { assertAskedByTime } from '#cli/set-cursor';
import { sourceStanding } from '#cli/status/read-standing';
import { FRESH_CURSOR } from '#core/source/cursor';
import { encodeCursor } from '#core/source/cursor-text';
import { toPollOptions } from '#functions/poll/poll-options';
import type { PollStanding } from '#ports/poll-control';
import { settingsOf, ticketsInput } from '#test/config/pipeline-input';

const TOKEN = '12-g1AAAACbeJzLYWBgYMpgTmHgz8tPSTV0MDQy1zMAQ';
const cursor = { ...FRESH_CURSOR, token: TOKEN };
const standingWith = (more: object = {}): PollStanding => ({
  epoch: 3,
  leaseUntilMs: 0,
  cursor: encodeCursor({ ...cursor, ...more }),
  notBeforeMs: 0,
  savedAtMs: 1_900_000_000_000,
  firstAtMs: 1_800_000_000_000,
  succeededAtMs: 1_900_000_000_000,
  end: undefined,
  pause: undefined,
});
const view = (more: object = {}) => ({
  pipeline: 'tickets',
  stage: 'dev',
  standing: standingWith(more),
});

const { source, ...file } = ticketsInput();
const settings = settingsOf({
  ...file,
  source: { ...source, incremental: { kind: 'token', param: 'since', next: 'seq' } },
});

test('the token stands in the place of a boundary, shortened; as JSON it is whole', () => {
  const lines = standingLines(view(), 1_900_000_001_000).join('\n');
  expect(lines).toMatch(/^token +'12-g1AAAACbe…V0MDQy1zMAQ'$/m);
  expect(lines).not.toContain('boundary');
  expect(standingJson(view(), 0)).toMatchObject({ cursor: { token: TOKEN } });
});

test('a full read that is under way is told', () => {
  const lines = standingLines(view({ resync: { atMs: 1_900_000_000_000 } }), 1_900_000_001_000);
  expect(lines.join('\n')).toMatch(
    /^full read +since 2030-03-17T17:46:40.000Z: the token was too old$/m,
  );
});

test('a reset tells that the token goes', () =>
  expect(changeLines(cursor, undefined).join('\n')).toMatch(/token +'12-.*' → none/));

test('a time cannot be set, and the sentence says what can', () => {
  expect(() => assertAskedByTime(settings)).toThrow(
    'The source of tickets is asked by token, not by time; `penstock cursor reset tickets` lets it be read anew.',
  );
  expect(() => assertAskedByTime(settingsOf(ticketsInput()))).not.toThrow();
});

test('between runs it is caught up', () =>
  expect(
    sourceStanding(standingWith(), { nowMs: 1_900_000_005_000, staleMs: 60_000 }),
  ).toMatchObject({ caughtUp: true, behindMs: 5_000, stale: false }));

test('the doctor says why it looks at no time', () => {
  const options = toPollOptions(settings, undefined, { TICKETS_API_URL: 'https://api.test' });
  const [note] = checkByToken({ options } as Observed);
  expect(note).toMatchObject({ severity: 'note', check: 'asked-by-token' });
  const byTime = toPollOptions(settingsOf(ticketsInput()), undefined, {
    TICKETS_API_URL: 'https://api.test',
  });
  expect(checkByToken({ options: byTime } as Observed)).toEqual([]);
});
