/** Who else acts while a mapping delivers: a producer, who deploys, who commands, who sends again. */
import type { Dice } from '#test/simulation/dice';
import type { VirtualTime } from '#test/simulation/virtual-time';
import type { Content } from './contents.ts';
import { OF } from './of-consumer.ts';
import type { SimulatedFunctions } from './simulated-functions.ts';
import type { Delivered, SimulatedShards } from './simulated-shards.ts';
import type { Truth } from './truth.ts';
import type { Neighbour } from './unsteady-line.ts';
import type { Neighbours } from './watched-ports.ts';

export interface ActorsWorld {
  readonly time: VirtualTime;
  readonly dice: Dice;
  readonly note: (what: string) => void;
  /** True: no more than a producer, and who closes an open breaker. */
  readonly isCalm: boolean;
  /** From then on they only help. */
  readonly healedMs: number;
  readonly contents: readonly Content[];
  readonly shards: SimulatedShards;
  readonly functions: SimulatedFunctions;
  readonly neighbours: Neighbours;
  readonly downUntilMs: Map<Neighbour, number>;
  readonly truth: Truth;
}

export interface Actors {
  /** The mapping has ended: returns once they have, too. */
  ended(): Promise<void>;
}

const NEIGHBOURS: readonly Neighbour[] = ['table', 'handler', 'quarantine', 'checkpoints', 'marks'];
const LET_PASS_MS = 1_000;
const TRIES_MAX = 3;

export function startActors(world: ActorsWorld): Actors {
  const { time, dice, note, isCalm, healedMs, contents, shards, functions, neighbours, truth } =
    world;
  const over = new AbortController();
  const isHealed = () => time.nowMs() >= healedMs;
  const acting = [produce(), command()];
  if (!isCalm) acting.push(deploy(), breakDown(), sendAgain('replay'), sendAgain('redrive'));

  return {
    async ended() {
      over.abort();
      await Promise.all(acting);
      if (dice.once(2)) await redriveAll();
    },
  };

  async function produce(): Promise<void> {
    const isKeyed = !dice.once(4);
    const [again, reshards] = [dice.pick([0, 6]), isCalm ? 0 : dice.pick([0, 8, 25])];
    for (const content of contents) {
      if (dice.once(3)) await time.sleep(dice.below(120));
      if (reshards > 0 && dice.once(reshards)) note(shards.reshard());
      put(content);
      if (again > 0 && dice.once(again)) {
        note('a record comes again in the stream');
        put(contents[dice.below(content.number + 1)] as Content);
      }
    }
    shards.end();

    function put(content: Content): void {
      const partitionKey = isKeyed ? (content.key ?? 'lane') : `p${dice.below(9)}`;
      shards.put(content, partitionKey, time.nowMs());
    }
  }

  /** Looks after an open breaker; in the end lets everything pass. */
  async function command(): Promise<void> {
    while (!over.signal.aborted) {
      await time.sleep(100 + dice.below(400));
      const { open } = await neighbours.marks.read(OF);
      if (open === undefined) continue;
      const how = isHealed() || isCalm ? 'let all pass' : dice.pick(['wait', 'close', 'let pass']);
      if (how === 'wait') continue;
      note(`breaker: ${how}`);
      const until = { close: 0, 'let pass': time.nowMs() + LET_PASS_MS };
      const letUntilMs = until[how as keyof typeof until] ?? Number.MAX_SAFE_INTEGER;
      await neighbours.marks.close(OF, { letUntilMs });
    }
  }

  async function deploy(): Promise<void> {
    for (let version = 1; version <= dice.below(4); version++) {
      await time.sleep(dice.below(1_500));
      const { takesLarge } = functions.code();
      note('deploy');
      functions.deploy({
        name: `code-${version}`,
        takesLarge: takesLarge || dice.once(2),
        concurrency: 1 + dice.below(4),
      });
    }
  }

  async function breakDown(): Promise<void> {
    await time.sleep(dice.below(1_500));
    const untilMs = Math.min(healedMs, time.nowMs() + dice.below(1_500));
    world.downUntilMs.set(dice.pick(NEIGHBOURS), untilMs);
  }

  /** A stretch of one shard, beside what the mapping delivers; before it, too. */
  async function sendAgain(passage: 'replay' | 'redrive'): Promise<void> {
    for (let times = dice.below(3); times > 0; times--) {
      await time.sleep(dice.below(1_500));
      const { records } = dice.pick(shards.all);
      const from = dice.below(records.length + 1);
      const stretch = records.slice(from, from + 1 + dice.below(10));
      const chosen =
        passage === 'replay'
          ? stretch
          : records.filter((one) => truth.isKept(one) || truth.givenUp.has(one));
      await outOfTurn(chosen, passage, TRIES_MAX);
    }
  }

  async function outOfTurn(
    records: readonly Delivered[],
    passage: 'replay' | 'redrive',
    triesMax: number,
  ): Promise<void> {
    let rest = records;
    for (let tries = 0; rest.length > 0 && tries < triesMax; tries++) {
      note(passage);
      const result = await functions.invoke(rest, passage);
      if (result === undefined) continue;
      rest = rest.filter((_, place) => result.ends[place] === 'returned');
      if (rest.length > 0) note(`${passage} returned some`);
    }
  }

  /** What was given up or kept aside comes back, shard by shard, until it is settled. */
  async function redriveAll(): Promise<void> {
    note('all redriven');
    await time.sleep(Math.max(0, healedMs - time.nowMs()));
    for (const { records } of shards.all) {
      const chosen = records.filter((one) => truth.isKept(one) || truth.givenUp.has(one));
      await outOfTurn(chosen, 'redrive', Infinity);
      for (const one of chosen) {
        truth.check(truth.isDone(one) || truth.isKept(one), 'P1: what is redriven is settled');
      }
    }
  }
}
