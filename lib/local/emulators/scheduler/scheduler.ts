/** EventBridge Scheduler: ticks, and hands each tick's event to a Lambda function. */
import type { Clock, FaultPlan, NewId, QueueStore, WireHandler } from '#local/contracts';
import type { Measure, Measurement } from '#local/metrics/measurement';
import { RANDOM_ID } from '#local/new-id';
import { parseScheduleExpression } from './schedule-expression.ts';
import type { Ticks } from './schedule-expression.ts';
import { createSchedulerApi } from './scheduler-api.ts';
import type { Schedule } from './schedule.ts';
import { deadLetterAttributes, tickPayload } from './tick-payload.ts';

export interface ScheduleTick {
  readonly schedule: string;
  readonly functionName: string;
  readonly scheduledMs: number;
}

export interface Scheduler {
  /** @throws {ScheduleExpressionError} when the expression cannot be read. */
  add(schedule: Schedule): void;
  /** Begins to tick. */
  start(): void;
  /** Begins no further tick. */
  stop(): void;
  readonly api: WireHandler;
}

export interface SchedulerOptions {
  readonly clock: Clock;
  /** Resolves when the event has been worked off, retries included. */
  readonly deliver: (functionName: string, payload: string) => Promise<void>;
  /** Of a schedule that ticks as soon as its last run ended, how much later; of others undefined. */
  readonly tempoGapMs?: (name: string) => number | undefined;
  readonly onTick?: (tick: ScheduleTick) => void;
  readonly faults?: Pick<FaultPlan, 'onTick'>;
  readonly measure?: Measure;
  /** For dead letters. */
  readonly queues?: QueueStore;
  /** Hears of a dead letter that could not be sent. */
  readonly onDefect?: (error: unknown) => void;
  /** Of executions. */
  readonly newId?: NewId;
}

/** A schedule that was made, and when. */
export interface KnownSchedule {
  readonly schedule: Schedule;
  readonly ticks: Ticks;
  readonly createdMs: number;
  readonly modifiedMs: number;
}

/** setTimeout holds 2^31 − 1 ms: a longer wait is made of several. */
const TIMER_MS_MAX = 24 * 60 * 60 * 1_000;

export function createScheduler(options: SchedulerOptions): Scheduler {
  const { clock, tempoGapMs } = options;
  const tick = ticker(options);
  const known = new Map<string, KnownSchedule>();
  const cancels = new Map<string, () => void>();
  let state: 'new' | 'started' | 'stopped' = 'new';

  const wait = ({ schedule }: KnownSchedule, delayMs: number, then: () => void): void => {
    if (state === 'started') cancels.set(schedule.name, clock.setTimer(delayMs, then));
  };
  const byExpression = (one: KnownSchedule, afterMs: number): void => {
    const nextMs = one.ticks.nextMs(afterMs);
    if (nextMs === undefined) return;
    const delayMs = Math.max(0, nextMs - clock.nowMs());
    if (delayMs > TIMER_MS_MAX) {
      wait(one, TIMER_MS_MAX, () => byExpression(one, afterMs));
      return;
    }
    wait(one, delayMs, () => {
      void tick(one.schedule, nextMs);
      // Ticks that were due while the machine slept are not made up for.
      byExpression(one, Math.max(nextMs, clock.nowMs()));
    });
  };
  const byTempo = (one: KnownSchedule, gapMs: number): void => {
    void tick(one.schedule, clock.nowMs()).then(() => {
      // One that was changed meanwhile goes on as what it is now.
      if (known.get(one.schedule.name) === one) wait(one, gapMs, () => byTempo(one, gapMs));
    });
  };
  const begin = (one: KnownSchedule): void => {
    if (state !== 'started' || !one.schedule.enabled) return;
    const gapMs = tempoGapMs?.(one.schedule.name);
    if (gapMs === undefined) byExpression(one, one.modifiedMs - 1);
    else byTempo(one, gapMs);
  };
  const end = (name: string): void => {
    cancels.get(name)?.();
    cancels.delete(name);
    known.delete(name);
  };
  const put = (schedule: Schedule, createdMs = clock.nowMs()): void => {
    const modifiedMs = clock.nowMs();
    const one = { schedule, ticks: ticksOf(schedule, modifiedMs), createdMs, modifiedMs };
    end(schedule.name);
    known.set(schedule.name, one);
    begin(one);
  };

  return {
    add: (schedule) => put(schedule),
    start() {
      state = 'started';
      for (const one of known.values()) begin(one);
    },
    stop() {
      state = 'stopped';
      for (const cancel of cancels.values()) cancel();
    },
    api: createSchedulerApi({
      list: () => [...known.values()],
      update: (schedule) => put(schedule, known.get(schedule.name)?.createdMs),
      remove: end,
    }),
  };
}

/** @source EventBridge Scheduler API 2021-06-30, StartDate, EndDate: a rate counts from its start. */
function ticksOf({ expression, zone, startMs, endMs }: Schedule, nowMs: number): Ticks {
  const ticks = parseScheduleExpression(expression, { zone, createdMs: startMs ?? nowMs });
  if (expression.startsWith('at(')) return ticks;
  return {
    nextMs(afterMs) {
      const nextMs = ticks.nextMs(Math.max(afterMs, (startMs ?? -Infinity) - 1));
      return nextMs !== undefined && nextMs <= (endMs ?? Infinity) ? nextMs : undefined;
    },
  };
}

function ticker(options: SchedulerOptions) {
  const { deliver, faults, measure, onTick, queues, onDefect, newId = RANDOM_ID } = options;
  return (schedule: Schedule, scheduledMs: number): Promise<unknown> => {
    const { name, functionName, deadLetterArn } = schedule;
    const fault = faults?.onTick?.(name);
    const executionId = newId();
    const payload = tickPayload(schedule, scheduledMs, executionId);
    if (fault !== 'drop') {
      const times = fault === 'twice' ? [1, 2] : [1];
      return Promise.all(
        times.map(() => {
          measure?.(measurementOf(schedule, 'InvocationAttemptCount'));
          onTick?.({ schedule: name, functionName, scheduledMs });
          return deliver(functionName, payload);
        }),
      );
    }
    measure?.(measurementOf(schedule, 'InvocationDroppedCount'));
    if (deadLetterArn === undefined) return Promise.resolve();
    try {
      queues?.send(
        deadLetterArn,
        payload,
        deadLetterAttributes(schedule, scheduledMs, executionId),
      );
      measure?.(measurementOf(schedule, 'InvocationsSentToDeadLetterCount'));
    } catch (error) {
      measure?.(measurementOf(schedule, 'InvocationsFailedToBeSentToDeadLetterCount'));
      onDefect?.(error);
    }
    return Promise.resolve();
  };
}

/** @source EventBridge Scheduler User Guide, Monitoring with CloudWatch: by the schedule's group. */
function measurementOf({ arn }: Schedule, name: string): Measurement {
  const ScheduleGroup = arn.split('/')[1] ?? '';
  return { namespace: 'AWS/Scheduler', name, dimensions: { ScheduleGroup }, value: 1 };
}
