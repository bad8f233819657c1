import { describe, expect, test } from 'vitest';
import { handlerSink } from '#pipeline/handler-sink';
import type { Clock } from '#ports/clock';
import type { Handler, HandlerCall, HandlerEnd } from '#ports/handler';
import type { Quarantine } from '#ports/quarantine';
import type { Timer } from '#ports/timer';
import { consumeWorld, eventOf, recordOf, transient, turns } from '#test/pipeline/consume-world';

const DONE: HandlerEnd = { kind: 'done' };
const still: Clock = { nowMs: () => 1_000, sleep: async () => {} };
const never: Timer = () => () => undefined;
const batch = (...marks: readonly string[]) =>
  marks.map((mark, at) => recordOf(at + 1, eventOf({ key: mark[0]!, version: Number(mark[1]) })));

/** A consumer whose handler answers by `say`, and the marks of every call. */
function world(
  say: (mark: string, call: HandlerCall, marks: readonly string[]) => Promise<HandlerEnd>,
  {
    per = 'record',
    timer = never,
    clock = still,
    ...ports
  }: { per?: Handler['per']; timer?: Timer; clock?: Clock; quarantine?: Quarantine } = {},
) {
  const calls: string[] = [];
  const handler: Handler = {
    per,
    async handle(events, call) {
      const marks = events.map(({ subject, id }) => subject + /@(\d+)/.exec(id)![1]);
      calls.push(marks.join(' '));
      return say(marks[0]!, call, marks);
    },
  };
  const sink = handlerSink(handler, { clock, timer });
  return { calls, ...consumeWorld({ sink, clock, ...ports }, { concurrency: 1 }) };
}

const refusing = (mark: string, eventId?: string): HandlerEnd => ({
  kind: 'refused',
  detail: `${mark} cannot be`,
  eventId,
});

describe('a handler of records', () => {
  test('is given each record of a key in order, and every key', async () => {
    const { calls, consume, summaries } = world(async () => DONE);
    expect(await consume(batch('a1', 'b1', 'a2', 'b2', 'a3'))).toEqual({});
    expect(calls).toEqual(['a1', 'a2', 'a3', 'b1', 'b2']);
    expect(summaries()[0]).toMatchObject({ written: 5, stale: 0, folded: 0, returned: 0 });
  });

  test('SINK-16: that fails stops its key, and no other; the shard resumes there', async () => {
    const { calls, consume, checkpoints } = world(async (mark) => {
      if (mark === 'a2') throw transient();
      return DONE;
    });
    expect(await consume(batch('a1', 'a2', 'b1', 'a3', 'b2'))).toEqual({ resumeAt: '2' });
    expect(calls).toEqual(['a1', 'a2', 'b1', 'b2']);
    expect(await checkpoints()).toMatchObject([{ sequenceNumber: '1' }]);
  });

  test('is not given again what it has done, though the shard delivers it again', async () => {
    let isDown = true;
    const { calls, consume, summaries } = world(async (mark) => {
      if (mark === 'a2' && isDown) throw transient();
      return DONE;
    });
    const records = batch('a1', 'a2', 'b1', 'a3', 'b2');
    await consume(records);
    isDown = false;
    calls.length = 0;
    expect(await consume(records.slice(1))).toEqual({});
    expect(calls).toEqual(['a2', 'a3']);
    expect(summaries()[1]).toMatchObject({ written: 2, stale: 2 });
  });

  test('is given again what a person sends again', async () => {
    const { calls, consume, consumeAs } = world(async () => DONE);
    await consume(batch('a1', 'a2'));
    await consumeAs('replay', batch('a1', 'a2'));
    expect(calls).toEqual(['a1', 'a2', 'a1', 'a2']);
  });

  test('that refuses a record goes on, and the record is kept with its sentence', async () => {
    const { calls, consume, quarantine } = world(async (mark) =>
      mark === 'a2' ? refusing(mark) : DONE,
    );
    expect(await consume(batch('a1', 'a2', 'a3'))).toEqual({});
    expect(calls).toEqual(['a1', 'a2', 'a3']);
    expect(quarantine.kept()).toMatchObject([
      { reason: 'handler-refused', detail: 'a2 cannot be', stage: 'orders' },
    ]);
  });

  test('is not given what comes after a refusal that cannot be set aside', async () => {
    const quarantine = { put: () => Promise.reject(transient()) };
    const { calls, consume } = world(async (mark) => (mark === 'a2' ? refusing(mark) : DONE), {
      quarantine,
    });
    expect(await consume(batch('a1', 'a2', 'a3', 'b1'))).toEqual({ resumeAt: '2' });
    expect(calls).toEqual(['a1', 'a2', 'b1']);
  });

  test.each(['stream', 'replay', 'redrive'] as const)('is told of a %s', async (passage) => {
    const told: string[] = [];
    const { consumeAs } = world(async (_mark, call) => {
      told.push(call.passage);
      return DONE;
    });
    await consumeAs(passage, batch('a1'));
    expect(told).toEqual([passage]);
  });

  test('is given nothing more of a key once the time is up', async () => {
    let nowMs = 1_000;
    const moving = { nowMs: () => nowMs, sleep: async () => {} };
    const { calls, consume } = world(
      async (mark) => {
        if (mark === 'a2') nowMs = 5_000;
        return DONE;
      },
      { clock: moving },
    );
    expect(await consume(batch('a1', 'a2', 'a3', 'b1'), 5_000)).toEqual({ resumeAt: '3' });
    expect(calls).toEqual(['a1', 'a2']);
  });

  test('is told how long it may take', async () => {
    const left: number[] = [];
    const { consume } = world(async (_mark, { remainingMs }) => {
      left.push(remainingMs());
      return DONE;
    });
    await consume(batch('a1'), 8_500);
    expect(left).toEqual([7_500]);
  });
});

describe('a handler of runs', () => {
  test("is given a key's records at once", async () => {
    const { calls, consume } = world(async () => DONE, { per: 'key' });
    expect(await consume(batch('a1', 'b1', 'a2'))).toEqual({});
    expect(calls).toEqual(['a1 a2', 'b1']);
  });

  test('that refuses one is given the rest anew', async () => {
    const { calls, consume, quarantine } = world(
      async (_mark, _call, marks) => (marks.includes('a2') ? refusing('a2', 'a@2#2') : DONE),
      { per: 'key' },
    );
    expect(await consume(batch('a1', 'a2', 'a3'))).toEqual({});
    expect(calls).toEqual(['a1 a2 a3', 'a1 a3']);
    expect(quarantine.kept()).toMatchObject([{ detail: 'a2 cannot be' }]);
  });

  test('that refuses no one in particular refuses all', async () => {
    const { calls, consume, quarantine } = world(async () => refusing('it'), { per: 'key' });
    expect(await consume(batch('a1', 'a2'))).toEqual({});
    expect(calls).toEqual(['a1 a2']);
    expect(quarantine.kept()).toHaveLength(2);
  });

  test('that refuses what it was not given has failed', async () => {
    const { consume, events } = world(async () => refusing('x', 'x@1#1'), { per: 'key' });
    expect(await consume(batch('a1', 'a2'))).toEqual({ resumeAt: '1' });
    expect(events).toContainEqual(
      expect.objectContaining({ event: 'WriteFailed', into: 'handler', records: 2 }),
    );
  });
});

describe('a handler that never answers', () => {
  const hanging = () => {
    let ring = (): void => undefined;
    const called: number[] = [];
    const timer: Timer = (durationMs, how) => {
      called.push(durationMs);
      ring = how;
      return () => called.push(-durationMs);
    };
    return { timer, called, ring: () => ring() };
  };

  test('is cut: the signal aborts, and its record and the later ones of its key come again', async () => {
    const { timer, called, ring } = hanging();
    const signals: AbortSignal[] = [];
    const { consume, calls, events } = world(
      (mark, { signal }) => {
        signals.push(signal);
        return mark === 'a2' ? new Promise(() => {}) : Promise.resolve(DONE);
      },
      { timer },
    );
    const consumed = consume(batch('a1', 'a2', 'a3'), 5_000);
    await turns(20);
    expect(signals.at(-1)?.aborted).toBe(false);
    ring();
    expect(await consumed).toEqual({ resumeAt: '2' });
    expect(signals.at(-1)?.aborted).toBe(true);
    expect(calls).toEqual(['a1', 'a2']);
    expect(called).toEqual([4_000, -4_000]);
    expect(events).toContainEqual(
      expect.objectContaining({
        event: 'WriteFailed',
        into: 'handler',
        retryable: true,
        error: 'HandlerFailed: it did not answer in time',
      }),
    );
  });

  test('is not called again once its time is up, though the clock says otherwise', async () => {
    const { timer, ring } = hanging();
    const { consume, calls } = world(
      async (mark) => (mark === 'a2' ? refusing(mark) : DONE),
      // Its time ends while a refusal is set aside; then the clock is set back.
      { timer, quarantine: { put: async () => ring() } },
    );
    expect(await consume(batch('a1', 'a2', 'a3'), 5_000)).toEqual({ resumeAt: '3' });
    expect(calls).toEqual(['a1', 'a2']);
  });

  test.each(['done', 'failed'])('and is %s too late changes nothing', async (late) => {
    const { timer, ring } = hanging();
    const answer = Promise.withResolvers<HandlerEnd>();
    const { consume, summaries, quarantine } = world(() => answer.promise, { timer });
    const consumed = consume(batch('a1'), 5_000);
    await turns(20);
    ring();
    expect(await consumed).toEqual({ resumeAt: '1' });
    if (late === 'done') answer.resolve(refusing('a1'));
    else answer.reject(new Error('too late'));
    // An unhandled rejection would fail the run of this file.
    await new Promise((resolve) => setImmediate(resolve));
    expect(summaries()).toMatchObject([{ returned: 1, written: 0, refused: 0 }]);
    expect(quarantine.kept()).toEqual([]);
  });
});
