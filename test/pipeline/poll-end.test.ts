/** What is kept of how a poll ended. */
import { expect, test } from 'vitest';
import { memoryPollStateStore } from '#adapters/memory/poll-state-store';
import { memoryStreamWriter } from '#adapters/memory/stream-writer';
import { poll } from '#pipeline/poll';
import { pollEnd } from '#pipeline/poll-end';
import type { PageAnswer } from '#ports/page-source';
import { options, page, row, START_MS, testClock, testWorld } from './poll-world.ts';

const ROWS = [row('1', '2031-06-12T15:00:00Z')];
const EXPIRED = 'the source answered status 401: the credentials are missing, wrong or expired';

/** A poller over one state, poll by poll. */
function poller() {
  const states = memoryPollStateStore();
  const clock = testClock();
  return {
    clock,
    async run(answers: readonly PageAnswer[], parts: Parameters<typeof testWorld>[1] = {}) {
      const world = testWorld(answers, { ...parts, states, clock });
      const result = await poll(options, world).catch((error: unknown) => error);
      return { result, standing: await states.read('orders') };
    },
  };
}

test('a poll that fails keeps the last success, and says why it failed', async () => {
  const { clock, run } = poller();
  expect((await run([page(ROWS)])).standing).toMatchObject({
    succeededAtMs: START_MS,
    end: { outcome: 'caught-up', atMs: START_MS, detail: undefined },
  });
  clock.advance(60_000);
  expect((await run([{ kind: 'refused', detail: EXPIRED }])).standing).toMatchObject({
    leaseUntilMs: 0,
    succeededAtMs: START_MS,
    end: { outcome: 'failed', atMs: START_MS + 60_000, detail: EXPIRED },
  });
});

test('while a source is parked, the end that parked it stands: it tells what was answered', async () => {
  const { clock, run } = poller();
  const end = {
    outcome: 'parked',
    atMs: START_MS,
    detail: 'the source asked for a pause with status 429',
  };
  const parked = { end, succeededAtMs: undefined };
  const wait = { kind: 'wait', status: 429, waitMs: 3_600_000 } as const;
  expect((await run([wait])).standing).toMatchObject(parked);
  clock.advance(60_000);
  const later = await run([page(ROWS)]);
  expect(later.result).toMatchObject({ kind: 'parked' });
  expect(later.standing).toMatchObject({ ...parked, leaseUntilMs: 0 });
});

test('what throws is kept as well, a defect of ours included', async () => {
  const { run } = poller();
  const refuse = async () => Promise.reject(new Error('the secret cannot be read'));
  const thrown = await run([], { source: { fetchPage: refuse } });
  const end = { outcome: 'failed', detail: 'the secret cannot be read' };
  expect(thrown).toMatchObject({ result: { kind: 'failed' }, standing: { end } });
  const writer = { ...memoryStreamWriter(), put: async () => [] };
  const { standing } = await run([page(ROWS)], { writer });
  expect(standing?.end?.detail).toMatch(/^broken invariant: /);
});

const ENDING = { pages: 0, atMs: 7, failing: undefined, everyMs: undefined, roll: 0 };

test.each([
  ['caught-up', 0, true],
  ['out-of-time', 1, true],
  ['out-of-time', 0, false],
  ['lease-lost', 3, false],
] as const)('%s after %i pages is a success: %s', (kind, pages, succeeded) => {
  expect(pollEnd({ kind }, { ...ENDING, pages })).toEqual({
    outcome: kind,
    atMs: 7,
    succeeded,
    detail: undefined,
  });
});

test('a detail is one line of at most 300 characters that moves no terminal', () => {
  const detailOf = (detail: string) => pollEnd({ kind: 'failed', detail }, ENDING).detail;
  expect(detailOf('holds `a\n\u001B[2Jb`')).toBe('holds `a [2Jb`');
  expect(detailOf('x'.repeat(300))).toBe('x'.repeat(300));
  expect(detailOf('x'.repeat(301))).toBe(`${'x'.repeat(299)}…`);
});
