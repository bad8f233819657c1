/** EventBridge Scheduler: ticks, and hands each tick's event to a Lambda function. */
import { randomUUID } from 'node:crypto';
import type { Clock, FaultPlan } from '#local/contracts';
import type { Measure, Measurement } from '#local/metrics/measurement';
import { parseScheduleExpression } from './schedule-expression.ts';
import type { Ticks } from './schedule-expression.ts';

export interface Schedule {
  readonly name: string;
  readonly arn: string;
  /** `rate(5 minutes)` or `cron(0 8 * * ? *)`. */
  readonly expression: string;
  readonly zone: string;
  readonly enabled: boolean;
  readonly functionName: string;
  /** JSON text; `<aws.scheduler.…>` in it is replaced. Without it, the event says what ticked. */
  readonly input?: string;
}

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
}

export interface SchedulerOptions {
  readonly clock: Clock;
  /** Resolves when the event has been worked off, retries included. */
  readonly deliver: (functionName: string, payload: string) => Promise<void>;
  /** Tick as soon as the last run ended, this much later, instead of by the expression. */
  readonly tempoGapMs?: number;
  readonly onTick?: (tick: ScheduleTick) => void;
  readonly faults?: Pick<FaultPlan, 'onTick'>;
  readonly measure?: Measure;
}

/** setTimeout holds 2^31 − 1 ms: a longer wait is made of several. */
const TIMER_MS_MAX = 24 * 60 * 60 * 1_000;

export function createScheduler({
  clock,
  deliver,
  tempoGapMs,
  onTick,
  faults,
  measure,
}: SchedulerOptions): Scheduler {
  const schedules: { schedule: Schedule; ticks: Ticks; createdMs: number }[] = [];
  const cancels = new Map<string, () => void>();
  let stopped = false;

  const tick = (schedule: Schedule, scheduledMs: number): Promise<void> => {
    const isDropped = faults?.onTick?.(schedule.name) === 'drop';
    measure?.(measurementOf(schedule, isDropped));
    if (isDropped) return Promise.resolve();
    onTick?.({ schedule: schedule.name, functionName: schedule.functionName, scheduledMs });
    return deliver(schedule.functionName, payloadOf(schedule, scheduledMs));
  };
  const wait = (schedule: Schedule, delayMs: number, then: () => void): void => {
    if (!stopped) cancels.set(schedule.name, clock.setTimer(delayMs, then));
  };
  const byExpression = (schedule: Schedule, ticks: Ticks, afterMs: number): void => {
    const nextMs = ticks.nextMs(afterMs);
    if (nextMs === undefined) return;
    const delayMs = Math.max(0, nextMs - clock.nowMs());
    if (delayMs > TIMER_MS_MAX) {
      wait(schedule, TIMER_MS_MAX, () => byExpression(schedule, ticks, afterMs));
      return;
    }
    wait(schedule, delayMs, () => {
      void tick(schedule, nextMs);
      // Ticks that were due while the machine slept are not made up for.
      byExpression(schedule, ticks, Math.max(nextMs, clock.nowMs()));
    });
  };
  const byTempo = (schedule: Schedule, gapMs: number): void => {
    void tick(schedule, clock.nowMs()).then(() => {
      wait(schedule, gapMs, () => byTempo(schedule, gapMs));
    });
  };

  return {
    add(schedule) {
      const { expression, zone } = schedule;
      const createdMs = clock.nowMs();
      const ticks = parseScheduleExpression(expression, { zone, createdMs });
      schedules.push({ schedule, ticks, createdMs });
    },
    start() {
      for (const { schedule, ticks, createdMs } of schedules) {
        if (!schedule.enabled) continue;
        if (tempoGapMs === undefined) byExpression(schedule, ticks, createdMs - 1);
        else byTempo(schedule, tempoGapMs);
      }
    },
    stop() {
      stopped = true;
      for (const cancel of cancels.values()) cancel();
    },
  };
}

/** @source EventBridge Scheduler User Guide, Monitoring with CloudWatch: by the schedule's group. */
function measurementOf({ arn }: Schedule, isDropped: boolean): Measurement {
  const ScheduleGroup = arn.split('/')[1] ?? '';
  const name = isDropped ? 'InvocationDroppedCount' : 'InvocationAttemptCount';
  return { namespace: 'AWS/Scheduler', name, dimensions: { ScheduleGroup }, value: 1 };
}

/** @source EventBridge Scheduler User Guide, Adding context attributes. */
function payloadOf({ arn, input }: Schedule, scheduledMs: number): string {
  const time = new Date(scheduledMs).toISOString().replace('.000Z', 'Z');
  const executionId = randomUUID();
  if (input === undefined) {
    return JSON.stringify({
      version: '0',
      id: executionId,
      'detail-type': 'Scheduled Event',
      source: 'aws.scheduler',
      account: arn.split(':')[4] ?? '',
      time,
      region: arn.split(':')[3] ?? '',
      resources: [arn],
      detail: '{}',
    });
  }
  return input
    .replaceAll('<aws.scheduler.schedule-arn>', arn)
    .replaceAll('<aws.scheduler.scheduled-time>', time)
    .replaceAll('<aws.scheduler.execution-id>', executionId)
    .replaceAll('<aws.scheduler.attempt-number>', '1');
}
