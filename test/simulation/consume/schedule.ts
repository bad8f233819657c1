/** One random run of the consumer, judged by code that shares nothing with it. */
import { memoryBreakerStore } from '#adapters/memory/breaker-store';
import { memoryCheckpointStore } from '#adapters/memory/checkpoint-store';
import { memoryQuarantine } from '#adapters/memory/quarantine';
import { memoryRecordTable } from '#adapters/memory/record-table';
import { diceOf } from '#test/simulation/dice';
import type { Dice } from '#test/simulation/dice';
import type { ScheduleReport } from '#test/simulation/run-schedules';
import { virtualTime } from '#test/simulation/virtual-time';
import { startActors } from './actors.ts';
import { randomContents } from './contents.ts';
import { OF } from './of-consumer.ts';
import { simulatedFunctions } from './simulated-functions.ts';
import type { SimulatedFunctions } from './simulated-functions.ts';
import { runMapping } from './simulated-mapping.ts';
import type { Answer } from './simulated-mapping.ts';
import { simulatedShards } from './simulated-shards.ts';
import type { Delivered } from './simulated-shards.ts';
import { truthOf } from './truth.ts';
import { FAULTLESS, LATEST_MS } from './unsteady-line.ts';
import type { Faults, Neighbour } from './unsteady-line.ts';

const START_MS = 1_900_000_000_000;
/** From then on nothing fails any more, and everything comes to its end. */
const HEALED_MS = START_MS + 4_000;

const SINK_KINDS = ['table', 'table', 'handler-per-record', 'handler-per-key'] as const;

/** @throws {Error} the law that is broken. */
export async function runSchedule(seed: number): Promise<ScheduleReport> {
  const dice = diceOf(seed);
  const time = virtualTime(START_MS);
  const reached = new Map<string, number>();
  const note = (what: string): void => void reached.set(what, (reached.get(what) ?? 0) + 1);

  const isFaultless = dice.once(8);
  const faults = isFaultless ? FAULTLESS : randomFaults(dice);
  const contents = randomContents(30 + dice.below(30), randomMixture(dice), dice);
  const shards = simulatedShards(1 + dice.below(3), dice);
  const table = memoryRecordTable();
  const neighbours = {
    table,
    quarantine: memoryQuarantine(),
    checkpoints: memoryCheckpointStore(),
    marks: memoryBreakerStore(),
  };
  const sinkKind = dice.pick(SINK_KINDS);
  const truth = truthOf({ contents, shards, standing: table.standing, note });
  const lanes = dice.pick([1, 1, 2, 3]);
  const breaker = { percent: dice.pick([20, 50, 100]), recordsMin: dice.pick([3, 10, 50]) };
  const downUntilMs = new Map<Neighbour, number>();
  const code = { name: 'code-0', takesLarge: dice.once(3), concurrency: 1 + dice.below(4) };
  const functions = simulatedFunctions(code, {
    time,
    dice,
    note,
    faults: () => (time.nowMs() < HEALED_MS ? faults : FAULTLESS),
    downUntilMs,
    sinkKind,
    neighbours,
    truth,
    batchesPerShard: lanes,
    breaker,
    timeoutMs: dice.pick([100, 400, 2_000]),
    areClocksSkewed: dice.once(3),
  });
  const settings = {
    batchSize: 1 + dice.below(12),
    lanes,
    bisects: dice.once(2),
    retriesMax: dice.pick([Infinity, Infinity, 1, 4]),
    recordAgeMaxMs: dice.pick([Infinity, Infinity, 1_000]),
  };

  await time.run(whole());
  truth.judge();
  if (isFaultless) await judgeFaultless();
  truth.end();
  const delivered = shards.all.reduce((sum, { records }) => sum + records.length, 0);
  return { operations: delivered + functions.invocations(), reached };

  async function whole(): Promise<void> {
    const actors = startActors({
      time,
      dice,
      note,
      isCalm: isFaultless,
      healedMs: HEALED_MS,
      contents,
      shards,
      functions,
      neighbours,
      downUntilMs,
      truth,
    });
    const deliveries = deliveriesOf(functions);
    await runMapping(shards, settings, {
      time,
      dice,
      note,
      invoke: deliveries.invoke,
      giveUp: truth.giveUp,
    });
    await actors.ended();
    await functions.idle();
    await time.sleep(LATEST_MS);
  }

  /** Where nothing fails, nothing stays behind. */
  async function judgeFaultless(): Promise<void> {
    note('faultless');
    if (lanes > 1 || truth.givenUp.size > 0) return;
    const saved = await neighbours.checkpoints.list(OF);
    for (const { id, records } of shards.all) {
      const place = saved.find(({ shardId }) => shardId === id);
      const last = records.at(-1)?.record.sequenceNumber;
      truth.check(place?.sequenceNumber === last, 'law 4: the checkpoint reaches the end');
    }
  }

  /** At least once: an invocation may be made twice, and its answer may be lost. */
  function deliveriesOf({ invoke }: SimulatedFunctions) {
    const often = isFaultless ? 0 : dice.pick([0, 3, 20]);
    const happens = (what: string): boolean => {
      const does = often > 0 && time.nowMs() < HEALED_MS && dice.once(often);
      if (does) note(what);
      return does;
    };
    const once = async (batch: readonly Delivered[]): Promise<Answer> => {
      const result = await invoke(batch, 'stream');
      if (result === undefined) return undefined;
      return { failures: result.resumeAt === undefined ? [] : [result.resumeAt] };
    };
    return {
      async invoke(batch: readonly Delivered[]): Promise<Answer> {
        if (happens('an invocation is refused')) return undefined;
        if (happens('delivered twice at once')) void once(batch);
        const answer = await once(batch);
        if (happens('delivered again after its end')) void once(batch);
        return happens('its answer is lost') ? undefined : answer;
      },
    };
  }
}

function randomMixture(dice: Dice) {
  return {
    keys: dice.pick([1, 4, 12]),
    poison: dice.pick([0, 2, 8, 20]),
    large: dice.pick([0, 0, 4, 10]),
  };
}

function randomFaults(dice: Dice): Faults {
  const often = () => dice.pick([0, 0, 4, 15, 60]);
  return {
    crash: dice.pick([0, 0, 30, 150]),
    slow: dice.pick([0, 0, 20, 100]),
    table: often(),
    handler: often(),
    quarantine: often(),
    checkpoints: often(),
    marks: often(),
    unanswered: often(),
    late: often(),
  };
}
