/** Processes that run the consumer: they are started, used again, time out, crash and are replaced. */
import type { BreakerRule } from '#core/breaker/refusal-share';
import { batchConsumer } from '#pipeline/consume';
import type { ConsumeBatch, ConsumeResult } from '#pipeline/consume';
import type { Passage } from '#ports/sink';
import { OF } from './of-consumer.ts';
import type { Delivered } from './simulated-shards.ts';
import { unsteadyLine } from './unsteady-line.ts';
import type { Life } from './unsteady-line.ts';
import { watchInvocation } from './watch-invocation.ts';
import type { InvocationWatch } from './watch-invocation.ts';
import { watchedPorts } from './watched-ports.ts';
import type { Code, WatchedWorld } from './watched-ports.ts';

export interface FunctionsWorld extends WatchedWorld {
  readonly batchesPerShard: number;
  readonly breaker: BreakerRule;
  readonly timeoutMs: number;
  readonly areClocksSkewed: boolean;
}

export interface SimulatedFunctions {
  readonly code: () => Code;
  deploy(code: Code): void;
  /** Undefined: it crashed, or ran out of time. */
  invoke(batch: readonly Delivered[], passage: Passage): Promise<ConsumeResult | undefined>;
  /** Resolves once nothing runs any more, not even what nobody waits for. */
  idle(): Promise<void>;
  readonly invocations: () => number;
}

interface Process {
  readonly code: Code;
  readonly life: Life;
  readonly death: Promise<undefined>;
  /** Numbers of what its handler did. */
  readonly done: Set<number>;
  nowMs(): number;
  /** Has one invocation at a time. */
  consume(watch: InvocationWatch, ...ask: Parameters<ConsumeBatch>): ReturnType<ConsumeBatch>;
}

const DAY_MS = 86_400_000;
/** Of its time, what an invocation keeps for its end. */
const START_SHARE = 0.6;
/** More means that it never ends. */
const INVOCATIONS_MAX = 3_000;

export function simulatedFunctions(first: Code, world: FunctionsWorld): SimulatedFunctions {
  const { time, dice, note, truth, timeoutMs, sinkKind } = world;
  let current = first;
  let idle: Process[] = [];
  let invocations = 0;
  const running = new Set<Promise<unknown>>();

  return {
    code: () => current,
    deploy(next) {
      current = next;
      idle = [];
    },
    invocations: () => invocations,
    async idle() {
      while (running.size > 0) await Promise.race(running);
    },
    async invoke(batch, passage) {
      if (++invocations > INVOCATIONS_MAX) {
        truth.end();
        throw new Error('the schedule does not end');
      }
      const process = idle.pop() ?? start(current);
      const { concurrency } = process.code;
      const startUntilMs = process.nowMs() + timeoutMs * START_SHARE;
      const watch = watchInvocation(truth, {
        sinkKind,
        batch,
        passage,
        code: process.code.name,
        concurrency,
        startUntilMs,
        done: process.done,
      });
      const records = batch.map(({ record }) => record);
      const work = process.consume(watch, records, { passage, startUntilMs }).then(
        (result) => {
          watch.completes(result);
          return result;
        },
        (error: unknown) => {
          truth.check(false, `what it is made with throws nothing: ${String(error)}`);
          return undefined;
        },
      );
      const ended = Promise.race([work, process.death]);
      const tracked = ended.finally(() => running.delete(tracked));
      running.add(tracked);
      const outcome = await Promise.race([tracked, time.sleep(timeoutMs).then(() => 'timeout')]);
      watch.isLeft();
      if (outcome === 'timeout') {
        const fate = dice.once(2) ? 'ends' : 'goes on';
        note(`timeout, and the function ${fate}`);
        if (fate === 'ends') process.life.die();
        return undefined;
      }
      if (process.life.isAlive && process.code === current) idle.push(process);
      return outcome as ConsumeResult | undefined;
    },
  };

  function start(code: Code): Process {
    let dies: (value: undefined) => void = () => undefined;
    const death = new Promise<undefined>((resolve) => (dies = resolve));
    const life: Life = {
      isAlive: true,
      die() {
        life.isAlive = false;
        dies(undefined);
      },
    };
    const nowMs = clockOf();
    let watch: InvocationWatch | undefined;
    const ports = watchedPorts(world, {
      code,
      isReplaced: () => code !== current,
      call: unsteadyLine(world, life),
      watched: () => watch as InvocationWatch,
      readMs: nowMs,
    });
    const consume = batchConsumer(
      {
        ...OF,
        concurrency: code.concurrency,
        batchesPerShard: world.batchesPerShard,
        breaker: world.breaker,
        code: code.name,
      },
      ports,
    );
    return {
      code,
      life,
      death,
      done: new Set(),
      nowMs,
      consume(next, ...ask) {
        watch = next;
        return consume(...ask);
      },
    };
  }

  /** Right, a day off, or set right or wrong on the way. */
  function clockOf(): () => number {
    const skew = () => (world.areClocksSkewed ? dice.pick([0, DAY_MS, -DAY_MS]) : 0);
    const [before, after] = [skew(), skew()];
    const setAtMs = time.nowMs() + dice.below(3_000);
    return () => {
      const isSet = time.nowMs() >= setAtMs;
      if (isSet && before !== after) note('a clock was set');
      return time.nowMs() + (isSet ? after : before);
    };
  }
}
