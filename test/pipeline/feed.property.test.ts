/** Rows change, vanish and come back while they are read by token; tokens grow old; pollers die. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { memoryPollStateStore } from '#adapters/memory/poll-state-store';
import { memoryStreamWriter } from '#adapters/memory/stream-writer';
import type { StreamEvent } from '#core/record/stream-event';
import { poll } from '#pipeline/poll';
import type { PollWorld } from '#pipeline/poll-options';
import { consumeWorld, SHARD } from './consume-world.ts';
import { feedOptions, feedServer } from './feed-server.ts';
import type { FeedServer } from './feed-server.ts';
import { testClock, testWorld } from './poll-world.ts';

const change = fc.record({
  kind: fc.constantFrom('change', 'change', 'change', 'remove', 'remove', 'expire'),
  id: fc.constantFrom('a', 'b', 'c', 'd', 'e'),
});
type Change = typeof change extends fc.Arbitrary<infer T> ? T : never;

const play = fc.record({
  shape: fc.constantFrom('changes', 'pages'),
  isWhole: fc.boolean(),
  saysPending: fc.boolean(),
  sizes: fc
    .array(fc.nat(3), { minLength: 1, maxLength: 4 })
    .filter((all) => all.some((n) => n > 0)),
  polls: fc.array(
    fc.record({
      before: fc.array(change, { maxLength: 4 }),
      /** One before each answer. */
      during: fc.array(change, { maxLength: 4 }),
      /** After so many calls of its neighbours it is no more. */
      diesAfter: fc.option(fc.integer({ min: 1, max: 12 })),
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

/** Lets each call of a port have its effect; after the last one that is given, nobody hears of it. */
function mortal<Port extends object>(port: Port, survive: () => void): Port {
  return new Proxy(port, {
    get: (target, name) => {
      const member = Reflect.get(target, name) as unknown;
      if (typeof member !== 'function') return member;
      return async (...given: unknown[]) => {
        const answer: unknown = await Reflect.apply(member, target, given);
        survive();
        return answer;
      };
    },
  });
}

async function pollAll({ polls, ...told }: Play) {
  const server = feedServer(told);
  const options = feedOptions(told);
  const clock = testClock();
  const states = memoryPollStateStore();
  const writer = memoryStreamWriter();
  const again = async (parts: Partial<PollWorld>) => {
    clock.advance(10 * 60_000);
    return poll(options, { ...testWorld([], { clock, states, writer, source: server }), ...parts });
  };
  let isExpired = false;

  for (const { before, during, diesAfter, pages } of polls) {
    isExpired ||= [...before, ...during].some(({ kind }) => kind === 'expire');
    for (const one of before) apply(server, one);
    let left = diesAfter ?? Infinity;
    let fetched = 0;
    const survive = () => {
      if (--left < 0) throw new Error('died');
    };
    const source: PollWorld['source'] = {
      fetchPage(request) {
        const next = during[fetched++];
        if (next !== undefined) apply(server, next);
        return server.fetchPage(request);
      },
    };
    await again({
      source: mortal(source, survive),
      states: mortal(states, survive),
      writer: mortal(writer, survive),
      remainingMs: () => (fetched < pages ? 50_000 : 4_000),
    });
  }
  // A run that was under way may end before what changed meanwhile.
  await again({});
  await again({});
  expect(await again({})).toMatchObject({ kind: 'caught-up', published: 0 });
  return { server, writer, isExpired };
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

test('at rest the table is the source, but for what went while a token grew old', () =>
  fc.assert(
    fc.asyncProperty(play, async (played) => {
      const told = { ...played, isWhole: played.isWhole && played.shape === 'changes' };
      const { server, writer, isExpired } = await pollAll(told);
      const table = await consumeAll(writer.written, played.batches);
      for (const [id, row] of server.live) expect(table.get(id)?.data).toEqual(row);
      const gone = [...table.keys()].filter((id) => !server.live.has(id));
      // A full read of pages does not tell what is gone; nobody takes it away.
      if (told.shape === 'changes' || !isExpired) expect(gone).toEqual([]);
    }),
    { numRuns: 120 },
  ));
