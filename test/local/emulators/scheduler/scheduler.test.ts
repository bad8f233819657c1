import { expect, test } from 'vitest';
import type { Schedule } from '#local/emulators/scheduler/schedule';
import type { FaultPlan, QueueStore } from '#local/contracts';
import { createScheduler } from '#local/emulators/scheduler/scheduler';
import { ask } from '#test/local/ask';
import { ruleTest } from '#test/local/rules/rule-test';
import { steppedClock } from '#local/kit/stepped-clock';

const SIGNED = 'AWS4-HMAC-SHA256 Credential=local/20260504/us-east-1/scheduler/aws4_request, …';
const START_MS = Date.parse('2026-05-04T03:02:01Z');

const schedule: Schedule = {
  name: 'poll',
  arn: 'arn:aws:scheduler:us-east-1:000000000000:schedule/default/poll',
  expression: 'rate(2 minutes)',
  zone: 'UTC',
  enabled: true,
  functionName: 'fn',
};

function open(options: { tempoGapMs?: number; runMs?: number; onTick?: FaultPlan['onTick'] } = {}) {
  const clock = steppedClock(START_MS);
  const deliveries: { atMs: number; payload: string }[] = [];
  const sent: unknown[][] = [];
  const measured: string[] = [];
  const defects: unknown[] = [];
  const queues: QueueStore = {
    send(queue, ...message) {
      if (queue.endsWith(':none')) throw new Error('no such queue');
      sent.push([queue, ...message]);
    },
  };
  const scheduler = createScheduler({
    clock,
    queues,
    faults: options.onTick === undefined ? {} : { onTick: options.onTick },
    measure: ({ name }) => void measured.push(name),
    onDefect: (error) => void defects.push(error),
    deliver: (_, payload) => {
      deliveries.push({ atMs: clock.nowMs() - START_MS, payload });
      return new Promise((resolve) => void clock.setTimer(options.runMs ?? 0, resolve));
    },
    tempoGapMs: () => options.tempoGapMs,
  });
  const times = () => deliveries.map(({ atMs }) => atMs);
  return { clock, deliveries, scheduler, times, sent, measured, defects };
}

ruleTest('scheduler', 'rate-overlaps', async () => {
  const { clock, scheduler, times } = open({ runMs: 500_000 });
  scheduler.add(schedule);
  scheduler.start();
  await clock.step(250_000);
  expect(times()).toEqual([0, 120_000, 240_000]);
});

ruleTest('scheduler', 'tempo', async () => {
  const { clock, scheduler, times } = open({ runMs: 3_000, tempoGapMs: 200 });
  scheduler.add(schedule);
  scheduler.start();
  await clock.step(7_000);
  expect(times()).toEqual([0, 3_200, 6_400]);
});

ruleTest('scheduler', 'disabled', async () => {
  const { clock, scheduler, times } = open();
  scheduler.add({ ...schedule, enabled: false });
  scheduler.start();
  await clock.step(3_600_000);
  expect(times()).toEqual([]);
});

test('a stopped scheduler never ticks again', async () => {
  const { clock, scheduler, times } = open();
  scheduler.add(schedule);
  scheduler.start();
  await clock.step(1);
  scheduler.stop();
  await clock.step(3_600_000);
  expect(times()).toEqual([0]);
});

ruleTest('scheduler', 'far', async () => {
  const { clock, scheduler, times } = open();
  scheduler.add({ ...schedule, expression: 'cron(0 0 1 9 ? *)' });
  scheduler.start();
  await clock.step(Date.parse('2026-09-01T00:00:00Z') - START_MS);
  expect(times()).toEqual([Date.parse('2026-09-01T00:00:00Z') - START_MS]);
});

ruleTest('scheduler', 'input', async () => {
  const { clock, scheduler, deliveries } = open();
  const input = '{"due":"<aws.scheduler.scheduled-time>","by":"<aws.scheduler.schedule-arn>"}';
  scheduler.add({ ...schedule, input });
  scheduler.start();
  await clock.step(1);
  expect(JSON.parse(deliveries[0]!.payload)).toEqual({
    due: '2026-05-04T03:02:01Z',
    by: schedule.arn,
  });
});

ruleTest('scheduler', 'input-none', async () => {
  const { clock, scheduler, deliveries } = open();
  scheduler.add(schedule);
  scheduler.start();
  await clock.step(1);
  expect(JSON.parse(deliveries[0]!.payload)).toMatchObject({
    source: 'aws.scheduler',
    time: '2026-05-04T03:02:01Z',
    resources: [schedule.arn],
  });
});

/** Runs a schedule for so many minutes. @returns when it ticked, in minutes. */
async function minutesOf(over: Partial<Schedule>, minutes: number): Promise<number[]> {
  const { clock, scheduler, times } = open();
  scheduler.add({ ...schedule, ...over });
  scheduler.start();
  await clock.step(minutes * 60_000);
  return times().map((ms) => ms / 60_000);
}

ruleTest('scheduler', 'start-date', async () => {
  expect(await minutesOf({ startMs: START_MS + 180_000 }, 8)).toEqual([3, 5, 7]);
  const expression = 'cron(* * * * ? *)';
  const startMs = START_MS + 119_000;
  expect(await minutesOf({ startMs, expression }, 4)).toEqual([119 / 60, 179 / 60, 239 / 60]);
  expect(await minutesOf({ startMs: START_MS - 60_000 }, 4)).toEqual([1, 3]);
});

ruleTest('scheduler', 'end-date', async () => {
  expect(await minutesOf({ endMs: START_MS + 240_000 }, 20)).toEqual([0, 2, 4]);
});

ruleTest('scheduler', 'flexible-window', async () => {
  expect(await minutesOf({ flexibleMinutes: 15 }, 4)).toEqual([0, 2, 4]);
});

ruleTest('scheduler', 'precision', async () => {
  const [first = 0] = await minutesOf({ expression: 'cron(* * * * ? *)' }, 2);
  expect((START_MS + first * 60_000) % 60_000).toBe(0);
});

ruleTest('scheduler', 'asleep', async () => {
  const { clock, scheduler, times } = open();
  let nowMs = 0;
  const sleepy = { setTimer: clock.setTimer, nowMs: () => Math.max(clock.nowMs(), nowMs) };
  const delivered: number[] = [];
  const sleeping = createScheduler({
    clock: sleepy,
    deliver: async () => void delivered.push(sleepy.nowMs() - START_MS),
  });
  sleeping.add(schedule);
  sleeping.start();
  await clock.step(1);
  nowMs = START_MS + 600_000;
  await clock.step(125_000);
  expect(delivered).toEqual([0, 600_000]);
  expect([scheduler, times()]).toEqual([scheduler, []]);
});

ruleTest('scheduler', 'fault-twice', async () => {
  const faults = ['twice'] as ('twice' | undefined)[];
  const { clock, scheduler, deliveries, times } = open({ onTick: () => faults.shift() });
  scheduler.add(schedule);
  scheduler.start();
  await clock.step(120_000);
  expect(times()).toEqual([0, 0, 120_000]);
  expect(deliveries[1]).toEqual(deliveries[0]);
});

ruleTest('scheduler', 'fault-drop', async () => {
  const faults = ['drop'] as ('drop' | undefined)[];
  const { clock, scheduler, times, measured } = open({ onTick: () => faults.shift() });
  scheduler.add(schedule);
  scheduler.start();
  await clock.step(120_000);
  expect(times()).toEqual([120_000]);
  expect(measured).toEqual(['InvocationDroppedCount', 'InvocationAttemptCount']);
});

const DEAD = 'arn:aws:sqs:us-east-1:000000000000:dead';

const buriesAtOnce = async () => {
  const { clock, scheduler, sent, measured } = open({ onTick: () => 'drop' });
  const retry = { attemptsMax: 7, ageMaxSec: 60 };
  scheduler.add({ ...schedule, input: '{"n":1}', deadLetterArn: DEAD, retry });
  scheduler.start();
  await clock.step(1);
  const text = (StringValue: unknown) => ({ DataType: 'String', StringValue });
  expect(sent).toEqual([
    [
      DEAD,
      '{"n":1}',
      {
        ERROR_CODE: text('AWS.Scheduler.InternalServerError'),
        ERROR_MESSAGE: text('The function could not be called.'),
        EXECUTION_ID: text(expect.stringMatching(/^[0-9a-f-]{36}$/)),
        EXHAUSTED_RETRY_CONDITION: text('MaximumRetryAttempts'),
        IS_PAYLOAD_TRUNCATED: text('false'),
        RETRY_ATTEMPTS: { DataType: 'Number', StringValue: '7' },
        SCHEDULED_TIME: text('2026-05-04T03:02:01Z'),
        SCHEDULE_ARN: text(schedule.arn),
        TARGET_ARN: text('arn:aws:lambda:us-east-1:000000000000:function:fn'),
      },
    ],
  ]);
  expect(measured).toEqual(['InvocationDroppedCount', 'InvocationsSentToDeadLetterCount']);
};

ruleTest('scheduler', 'dead-letter', buriesAtOnce);
ruleTest('scheduler', 'retry-not-waited', buriesAtOnce);

ruleTest('scheduler', 'dead-letter-undelivered', async () => {
  const { clock, scheduler, measured, defects } = open({ onTick: () => 'drop' });
  scheduler.add({ ...schedule, deadLetterArn: `${DEAD}:none` });
  scheduler.start();
  await clock.step(120_000);
  const failed = ['InvocationDroppedCount', 'InvocationsFailedToBeSentToDeadLetterCount'];
  expect(measured).toEqual([...failed, ...failed]);
  expect(defects).toHaveLength(2);
});

ruleTest('scheduler', 'at-kept', async () => {
  const { clock, scheduler, times } = open();
  scheduler.add({ ...schedule, expression: 'at(2026-05-04T03:03:00)' });
  scheduler.start();
  await clock.step(3_600_000);
  expect(times()).toEqual([59_000]);
  const headers = { authorization: SIGNED };
  const { text } = await ask(scheduler.api, 'GET', '/schedules/poll', { headers });
  expect(JSON.parse(text)).toMatchObject({ State: 'ENABLED' });
});
