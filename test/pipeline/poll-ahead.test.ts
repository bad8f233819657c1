/** The next page is asked for while the last is being published. */
import { describe, expect, test } from 'vitest';
import { memoryPollStateStore } from '#adapters/memory/poll-state-store';
import { memoryStreamWriter } from '#adapters/memory/stream-writer';
import { poll } from '#pipeline/poll';
import type { PageAnswer, PageRequest } from '#ports/page-source';
import { options, page, published, row, savedCursor, START_MS, testWorld } from './poll-world.ts';
import type { TestWorld } from './poll-world.ts';

const at = (minute: number) => `2031-06-12T15:${String(minute).padStart(2, '0')}:00Z`;
const first = page([row('1', at(1)), row('2', at(2))], 'b');
const second = page([row('3', at(3))]);

/** Remembers in which order the source, the stream and the state are spoken to. */
function told(answers: readonly PageAnswer[], parts: Parameters<typeof testWorld>[1] = {}) {
  const steps: string[] = [];
  const signals: (AbortSignal | undefined)[] = [];
  const states = memoryPollStateStore();
  const world = testWorld(answers, { states, ...parts });
  const noted: TestWorld = {
    ...world,
    source: {
      async fetchPage(request: PageRequest) {
        steps.push(`ask ${request.query['cursor'] ?? 'first'}`);
        signals.push(request.signal);
        return world.source.fetchPage(request);
      },
    },
    writer: {
      ...world.writer,
      async put(records) {
        steps.push(`put ${records.map(({ partitionKey }) => partitionKey).join(' ')}`);
        return world.writer.put(records);
      },
    },
    states: {
      ...states,
      async save(...args) {
        steps.push('save');
        return states.save(...args);
      },
    },
  };
  return { world: noted, steps, signals };
}

test('a page is put after everything of the last is confirmed and saved, though it is asked for before', async () => {
  const { world, steps } = told([first, second]);
  expect((await poll(options, world)).kind).toBe('caught-up');
  expect(steps).toEqual(['ask first', 'ask b', 'put 1 2', 'save', 'put 3', 'save']);
});

test('a stream that is slow does not keep the source waiting', async () => {
  let askedTwice = () => {};
  const both = new Promise<void>((resolve) => (askedTwice = resolve));
  const writer = memoryStreamWriter();
  const world = testWorld([first, second], {
    writer: {
      ...writer,
      async put(records) {
        await both;
        return writer.put(records);
      },
    },
  });
  const source = {
    async fetchPage(request: PageRequest) {
      if (request.query['cursor'] === 'b') askedTwice();
      return world.source.fetchPage(request);
    },
  };
  expect((await poll(options, { ...world, source })).kind).toBe('caught-up');
});

describe('an answer that came ahead', () => {
  test('is lost with the page before it: the next poll asks for both again', async () => {
    const { world, steps, signals } = told([first, second, first, second]);
    const late = { ...world, remainingMs: () => (steps.includes('ask b') ? 5_000 : 50_000) };
    expect((await poll(options, late)).kind).toBe('out-of-time');
    expect(steps).toEqual(['ask first', 'ask b']);
    expect(signals.map((signal) => signal?.aborted)).toEqual([undefined, true]);
    expect((await savedCursor(world)).cursor).toBeUndefined();

    world.clock.advance(60_000);
    expect((await poll(options, world)).kind).toBe('caught-up');
    expect(published(world).map(({ subject }) => subject)).toEqual(['1', '2', '3']);
  });

  test('with a wait is obeyed once the page before it is saved', async () => {
    const wait: PageAnswer = { kind: 'wait', status: 429, waitMs: 7_000 };
    const { world, steps } = told([first, wait, second]);
    expect((await poll(options, world)).kind).toBe('caught-up');
    expect(world.clock.slept).toEqual([7_000]);
    expect(steps).toEqual(['ask first', 'ask b', 'put 1 2', 'save', 'ask b', 'put 3', 'save']);
  });

  test('with a wait longer than the run parks the poll behind the saved page', async () => {
    const wait: PageAnswer = { kind: 'wait', status: 429, waitMs: 900_000 };
    const { world } = told([first, wait]);
    expect(await poll(options, world)).toMatchObject({
      kind: 'parked',
      notBeforeMs: START_MS + 900_000,
      pages: 1,
    });
    expect((await savedCursor(world)).cursor).toContain('"token":"b"');
  });

  test('that broke is heard of only when its page is needed', async () => {
    const { world, steps } = told([first]);
    const source = {
      async fetchPage(request: PageRequest) {
        if (request.query['cursor'] === 'b') throw new Error('no token to be had');
        return world.source.fetchPage(request);
      },
    };
    expect(await poll(options, { ...world, source })).toMatchObject({
      kind: 'failed',
      detail: 'no token to be had',
      pages: 1,
    });
    expect(steps).toEqual(['ask first', 'put 1 2', 'save']);
  });

  test('by a token that is refused makes the run begin again', async () => {
    const gone: PageAnswer = { kind: 'refused', detail: 'the source answered status 410' };
    const { world, steps } = told([first, gone, first, second]);
    expect((await poll(options, world)).kind).toBe('caught-up');
    expect(steps.filter((step) => step.startsWith('ask'))).toEqual([
      'ask first',
      'ask b',
      'ask first',
      'ask b',
    ]);
    expect(new Set(published(world).map(({ subject }) => subject))).toEqual(
      new Set(['1', '2', '3']),
    );
  });
});

describe('nothing is asked ahead', () => {
  test('beside a page that fills the memory', async () => {
    const large = { ...first, chars: 4 * 1024 * 1024 + 1 } as PageAnswer;
    const { world, steps } = told([large, second]);
    expect((await poll(options, world)).kind).toBe('caught-up');
    expect(steps).toEqual(['ask first', 'put 1 2', 'save', 'ask b', 'put 3', 'save']);
  });

  test('without time to take it', async () => {
    const { world, steps } = told([first, second]);
    const hurried = {
      ...world,
      remainingMs: () => (steps.length === 0 || steps.at(-1)?.startsWith('put') ? 50_000 : 4_999),
    };
    await poll({ ...options, putTimeoutMs: 1_000 }, hurried);
    expect(steps.slice(0, 3)).toEqual(['ask first', 'put 1 2', 'save']);
  });

  test('after the last page', async () => {
    const { world, steps } = told([second]);
    await poll(options, world);
    expect(steps).toEqual(['ask first', 'put 3', 'save']);
  });
});

test('a wait that the next page asks for is kept, though the last one is never published', async () => {
  const waits: PageAnswer = { kind: 'wait', status: 429, waitMs: 300_000 };
  const writer = memoryStreamWriter();
  const world = testWorld([first, waits], {
    writer: {
      ...writer,
      async put() {
        await Promise.resolve();
        throw new Error('the stream is gone');
      },
    },
  });
  expect(await poll(options, world)).toMatchObject({
    kind: 'failed',
    detail: 'the stream is gone',
  });
  expect((await savedCursor(world)).notBeforeMs).toBe(START_MS + 300_000);
});
