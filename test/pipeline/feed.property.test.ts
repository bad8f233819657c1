/** Rows change, vanish and come back while they are read by token; tokens grow old; pollers die. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { memoryLedgers } from '#adapters/memory/ledgers';
import { memoryPollStateStore } from '#adapters/memory/poll-state-store';
import { memoryStreamWriter } from '#adapters/memory/stream-writer';
import type { StreamEvent } from '#core/record/stream-event';
import { poll } from '#pipeline/poll';
import type { PollWorld } from '#pipeline/poll-options';
import { consumeWorld, SHARD } from './consume-world.ts';
import { feedOptions, feedServer, KEYS } from './feed-server.ts';
import type { FeedServer } from './feed-server.ts';
import { published, testClock, testWorld } from './poll-world.ts';

const change = fc.record({
  kind: fc.constantFrom('change', 'change', 'change', 'remove', 'remove', 'expire'),
  id: fc.constantFrom(...KEYS),
});
type Change = typeof change extends fc.Arbitrary<infer T> ? T : never;

const play = fc.record({
  shape: fc.constantFrom('changes', 'pages'),
  isWhole: fc.boolean(),
  saysPending: fc.boolean(),
  forgets: fc.boolean(),
  /** Pages after which the keys are written down anew. */
  partsMax: fc.constantFrom(0, 2, 16),
  sizes: fc
    .array(fc.nat(3), { minLength: 1, maxLength: 4 })
    .filter((all) => all.some((n) => n > 0)),
  polls: fc.array(
    fc.record({
      before: fc.array(change, { maxLength: 4 }),
      /** One before each answer. */
      during: fc.array(change, { maxLength: 4 }),
      /** After so many calls of its neighbours it is no more: the last has its effect, or has none. */
      diesAfter: fc.option(fc.integer({ min: 1, max: 25 })),
      isEarly: fc.boolean(),
      /** How many pages it has time for. */
      pages: fc.integer({ min: 1, max: 5 }),
    }),
    { minLength: 1, maxLength: 8 },
  ),
  /** How the stream is delivered: batches of so many records, and how far some are delivered again. */
  batches: fc.array(fc.record({ size: fc.integer({ min: 1, max: 6 }), back: fc.nat(8) }), {
    minLength: 1,
  }),
});
type Play = typeof play extends fc.Arbitrary<infer T> ? T : never;

function apply(server: FeedServer, { kind, id }: Change): void {
  if (kind === 'expire') server.expire();
  else if (kind === 'remove') server.remove(id);
  else server.change(id);
}

interface Life {
  before(): void;
  after(): void;
}

function mortal<Port extends object>(port: Port, life: Life): Port {
  return new Proxy(port, {
    get: (target, name) => {
      const member = Reflect.get(target, name) as unknown;
      if (typeof member !== 'function') return member;
      return async (...given: unknown[]) => {
        life.before();
        const answer: unknown = await Reflect.apply(member, target, given);
        life.after();
        return answer;
      };
    },
  });
}

async function pollAll({ polls, partsMax, ...told }: Play) {
  const server = feedServer(told);
  const orphans = { shareMax: 1, keysMax: 100, partsMax };
  const options = { ...feedOptions(told), orphans };
  // One that lives for ever: a full read that shows nothing is not believed.
  server.change('kept');
  const clock = testClock();
  const states = memoryPollStateStore();
  const writer = memoryStreamWriter();
  const ledgers = memoryLedgers();
  const ports = { clock, states, writer, ledgers, source: server };
  const again = async (parts: Partial<PollWorld>) => {
    clock.advance(10 * 60_000);
    const from = writer.written.length;
    const result = await poll(options, { ...testWorld([], ports), ...parts });
    if (result.kind === 'failed') expect(result.detail).not.toContain('gone from its bucket');
    for (const { subject, type, data } of published({ writer }).slice(from)) {
      if (type !== 'orders.delete' || data['gone'] === true) continue;
      expect(server.absentAt(subject) ?? -1).toBeGreaterThanOrEqual(server.fullFrom);
      removed++;
    }
    return result;
  };
  let removed = 0;

  for (const { before, during, diesAfter, isEarly, pages } of polls) {
    for (const one of before) apply(server, one);
    let left = diesAfter ?? Infinity;
    let fetched = 0;
    const life = {
      before() {
        if (--left < 0 && isEarly) throw new Error('died');
      },
      after() {
        if (left < 0) throw new Error('died');
      },
    };
    const source: PollWorld['source'] = {
      fetchPage(request) {
        const next = during[fetched++];
        if (next !== undefined) apply(server, next);
        return server.fetchPage(request);
      },
    };
    await again({
      source: mortal(source, life),
      states: mortal(states, life),
      writer: mortal(writer, life),
      ledgers: mortal(ledgers, life),
      remainingMs: () => (fetched < pages ? 50_000 : 4_000),
    });
  }
  // A run that was under way may end before what changed meanwhile.
  await again({});
  await again({});
  expect(await again({})).toMatchObject({ kind: 'caught-up', published: 0 });
  return { server, writer, removed };
}

/** Every batch, and now and then once more what came before it. */
async function consumeAll(
  written: readonly { readonly partitionKey: string; readonly data: Uint8Array }[],
  batches: Play['batches'],
): Promise<ReadonlyMap<string, StreamEvent>> {
  const world = consumeWorld();
  const records = written.map(({ partitionKey, data }, at) => ({
    shardId: SHARD,
    sequenceNumber: String(at + 1) as never,
    partitionKey,
    data,
    arrivalTimeMs: 0,
  }));
  for (let from = 0, n = 0; from < records.length; n++) {
    const { size, back } = batches[n % batches.length]!;
    await world.consume(records.slice(from, from + size));
    await world.consumeAs('replay', records.slice(Math.max(0, from - back), from + size));
    from += size;
  }
  return new Map([...world.table.standing].filter(([key]) => world.table.get(key)));
}

test('at rest the table is the source, whatever went while a token grew old, and nothing that lived was removed', () =>
  fc.assert(
    fc.asyncProperty(play, async (played) => {
      const told = { ...played, isWhole: played.isWhole && played.shape === 'changes' };
      const { server, writer, removed } = await pollAll(told);
      const table = await consumeAll(writer.written, played.batches);
      const rows = [...table].map(([id, { data }]) => [id, data] as const);
      expect(new Map(rows)).toEqual(server.live);
      // What is told to be deleted needs no more.
      if (told.shape === 'changes' && !told.forgets) expect(removed).toBe(0);
    }),
    { numRuns: 120 },
  ));
