import { describe, expect, test } from 'vitest';
import { defineHandler, defineRunHandler, refuse } from '#config/define-handler';
import type { HandledEvent, RecordContext } from '#config/define-handler';
import { parseExact } from '#core/record/exact-json';
import type { JsonObject } from '#core/record/json';
import { rememberedSecrets } from '#functions/handle/secrets';
import { userHandler } from '#functions/handle/user-handler';
import type { Handler } from '#ports/handler';
import { eventOf } from '#test/pipeline/consume-world';

const CALL = {
  passage: 'stream' as const,
  signal: new AbortController().signal,
  remainingMs: () => 4_321,
};

const TOKEN = 'tok-5up3r-secret';

function open(exported: unknown, per: Handler['per'] = 'record', nowMs = () => 0) {
  const read: boolean[] = [];
  const reader = () => async (ask: { readonly fresh: boolean }) => {
    read.push(ask.fresh);
    return TOKEN;
  };
  const secrets = rememberedSecrets(['label-token'], reader, nowMs);
  const environment = { SHIPPING_URL: 'http://ship.example' };
  const handler = userHandler({ exported, per, file: './ship.ts', environment, secrets });
  return { handler, read };
}

describe('a handler of records', () => {
  test('gets the event, and what it needs to act on it', async () => {
    const got: [HandledEvent, RecordContext][] = [];
    const { handler } = open(defineHandler(async (...given) => void got.push(given)));
    const event = eventOf({ key: 'a', version: 3, data: { order_id: 'a' }, deleted: true });
    expect(await handler.handle([event], CALL)).toEqual({ kind: 'done' });
    const [[given, context]] = got as [[HandledEvent, RecordContext]];
    expect(given).toEqual({ ...event, isDelete: true });
    expect(context).toMatchObject({ passage: 'stream', isReplay: false, signal: CALL.signal });
    expect(context.idempotencyKey).toBe(event.id);
    expect(context.remainingMs()).toBe(4_321);
    expect(context.environment).toEqual({ SHIPPING_URL: 'http://ship.example' });
  });

  test.each(['replay', 'redrive'] as const)('is told of a %s', async (passage) => {
    const told: unknown[] = [];
    const { handler } = open(
      defineHandler(async (_event, { isReplay }) => void told.push(isReplay)),
    );
    await handler.handle([eventOf({ key: 'a', version: 3 })], { ...CALL, passage });
    expect(told).toEqual([true]);
  });

  test('reckons with numbers as they are, and loses no digit of those that are too long', async () => {
    const got: JsonObject[] = [];
    const { handler } = open(defineHandler(async ({ data }) => void got.push(data)));
    const data = parseExact('{"total":10.00,"id":9007199254740993}') as JsonObject;
    await handler.handle([eventOf({ key: 'a', version: 1, data })], CALL);
    expect(got[0]!['total']).toBe(10);
    expect(JSON.stringify(got[0])).toBe('{"total":10,"id":9007199254740993}');
  });
});

test('a handler of runs gets all of them', async () => {
  const got: string[] = [];
  const { handler } = open(
    defineRunHandler(async (events) => void got.push(...events.map(({ id }) => id))),
    'key',
  );
  await handler.handle(
    [eventOf({ key: 'a', version: 1 }), eventOf({ key: 'a', version: 2 })],
    CALL,
  );
  expect(got).toEqual(['a@1#1', 'a@2#2']);
});

test('a refusal that is returned is none the less one', async () => {
  const events = [eventOf({ key: 'a', version: 1 })];
  const careless = async () => refuse('unfit', events[0]);
  // @ts-expect-error: the types forbid it, and a file may be without them.
  const ofRecords = open(defineHandler(careless));
  // @ts-expect-error: as above.
  const ofRuns = open(defineRunHandler(careless), 'key');
  for (const { handler } of [ofRecords, ofRuns]) {
    const end = await handler.handle(events, CALL);
    expect(end).toEqual({ kind: 'refused', detail: 'unfit', eventId: 'a@1#1' });
  }
});

describe('what is thrown', () => {
  const events = [eventOf({ key: 'a', version: 1 })];
  const end = (error: unknown) =>
    open(
      defineHandler(async () => {
        throw error;
      }),
    ).handler.handle(events, CALL);

  test.each([
    ['the address has no country', 'the address has no country'],
    ['two\n  lines', 'two lines'],
    ['', 'the handler gave no reason'],
    ['x'.repeat(600), 'x'.repeat(500)],
  ])('as a refusal is its sentence: %.20j', async (reason, detail) => {
    expect(await end(refuse(reason))).toEqual({ kind: 'refused', detail, eventId: undefined });
  });

  test('as a refusal of one names it', async () => {
    expect(await end(refuse('no', events[0]))).toMatchObject({ eventId: 'a@1#1' });
  });

  test.each([
    [
      new TypeError('fetch failed', { cause: new Error('connect ECONNREFUSED') }),
      'TypeError: fetch failed: connect ECONNREFUSED',
    ],
    [new Error('no\n answer'), 'Error: no answer'],
    ['a text', 'a text'],
    [undefined, 'undefined'],
  ])('as anything else is a failure that may pass', async (error, message) => {
    await expect(end(error)).rejects.toMatchObject({ retryable: true, message });
  });

  test('synchronously is a failure like any other', async () => {
    const { handler } = open(
      defineHandler(() => {
        throw new Error('at once');
      }),
    );
    await expect(handler.handle(events, CALL)).rejects.toMatchObject({ message: 'Error: at once' });
  });
});

describe('a secret', () => {
  const events = [eventOf({ key: 'a', version: 1 })];

  test('is read once, and stands in no error', async () => {
    const { handler, read } = open(
      defineHandler(async (_event, { secret }) => {
        const token = await secret('label-token');
        if (token.length > 0) throw new Error(`401 for Bearer ${token}`);
      }),
    );
    for (let time = 0; time < 2; time++) {
      await expect(handler.handle(events, CALL)).rejects.toMatchObject({
        message: 'Error: 401 for Bearer ***',
      });
    }
    expect(read).toEqual([false, false]);
  });

  test('stands in no refusal either', async () => {
    const { handler } = open(
      defineHandler(async (_event, { secret }) => {
        throw refuse(`unfit: ${await secret('label-token')}`);
      }),
    );
    expect(await handler.handle(events, CALL)).toMatchObject({ detail: 'unfit: ***' });
  });

  test('that is a minute old when something fails is read anew', async () => {
    let nowMs = 0;
    let isGood = false;
    const { handler, read } = open(
      defineHandler(async (_event, { secret }) => {
        await secret('label-token');
        if (!isGood) throw new Error('401');
      }),
      'record',
      () => nowMs,
    );
    await expect(handler.handle(events, CALL)).rejects.toThrow('401');
    nowMs = 60_000;
    await expect(handler.handle(events, CALL)).rejects.toThrow('401');
    isGood = true;
    await handler.handle(events, CALL);
    await handler.handle(events, CALL);
    expect(read).toEqual([false, false, true, false]);
  });

  test('that the pipeline file does not name is not to be had', async () => {
    const { handler } = open(
      defineHandler(async (_event, { secret }) => void (await secret('other'))),
    );
    await expect(handler.handle(events, CALL)).rejects.toThrow(
      "'other' is not among the consumer's secrets: name it in the pipeline file",
    );
  });
});

test.each([
  ['nothing', undefined, 'record'],
  ['a plain function', async () => {}, 'record'],
  ['a handler of runs, for records', defineRunHandler(async () => {}), 'record'],
  ['a handler of records, for runs', defineHandler(async () => {}), 'key'],
] as const)('a file that exports %s does not start', (_what, exported, per) => {
  const maker = per === 'record' ? 'defineHandler' : 'defineRunHandler';
  expect(() => open(exported, per)).toThrow(
    `./ship.ts must export what \`${maker}\` makes, as its default`,
  );
});
