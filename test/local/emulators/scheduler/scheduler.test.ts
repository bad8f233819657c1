import { expect, test } from 'vitest';
import type { Schedule } from '#local/emulators/scheduler/scheduler';
import { createScheduler } from '#local/emulators/scheduler/scheduler';
import { handClock } from '#test/local/hand-clock';

const START_MS = Date.parse('2026-05-04T03:02:01Z');

const schedule: Schedule = {
  name: 'poll',
  arn: 'arn:aws:scheduler:us-east-1:000000000000:schedule/default/poll',
  expression: 'rate(2 minutes)',
  zone: 'UTC',
  enabled: true,
  functionName: 'fn',
};

function open(options: { tempoGapMs?: number; runMs?: number } = {}) {
  const clock = handClock(START_MS);
  const deliveries: { atMs: number; payload: string }[] = [];
  const scheduler = createScheduler({
    clock,
    deliver: (_, payload) => {
      deliveries.push({ atMs: clock.nowMs() - START_MS, payload });
      return new Promise((resolve) => void clock.setTimer(options.runMs ?? 0, resolve));
    },
    ...(options.tempoGapMs === undefined ? {} : { tempoGapMs: options.tempoGapMs }),
  });
  return { clock, deliveries, scheduler, times: () => deliveries.map(({ atMs }) => atMs) };
}

test('a rate ticks at once and then by the clock, however long a run takes', async () => {
  const { clock, scheduler, times } = open({ runMs: 500_000 });
  scheduler.add(schedule);
  scheduler.start();
  await clock.advance(250_000);
  expect(times()).toEqual([0, 120_000, 240_000]);
});

test('with a tempo the next tick follows the end of the last run', async () => {
  const { clock, scheduler, times } = open({ runMs: 3_000, tempoGapMs: 200 });
  scheduler.add(schedule);
  scheduler.start();
  await clock.advance(7_000);
  expect(times()).toEqual([0, 3_200, 6_400]);
});

test('a disabled schedule never ticks', async () => {
  const { clock, scheduler, times } = open();
  scheduler.add({ ...schedule, enabled: false });
  scheduler.start();
  await clock.advance(3_600_000);
  expect(times()).toEqual([]);
});

test('a stopped scheduler never ticks again', async () => {
  const { clock, scheduler, times } = open();
  scheduler.add(schedule);
  scheduler.start();
  await clock.advance(1);
  scheduler.stop();
  await clock.advance(3_600_000);
  expect(times()).toEqual([0]);
});

test('a tick that is further away than a timer can hold still comes', async () => {
  const { clock, scheduler, times } = open();
  scheduler.add({ ...schedule, expression: 'cron(0 0 1 9 ? *)' });
  scheduler.start();
  await clock.advance(Date.parse('2026-09-01T00:00:00Z') - START_MS);
  expect(times()).toEqual([Date.parse('2026-09-01T00:00:00Z') - START_MS]);
});

test('the input’s context attributes are replaced', async () => {
  const { clock, scheduler, deliveries } = open();
  const input = '{"due":"<aws.scheduler.scheduled-time>","by":"<aws.scheduler.schedule-arn>"}';
  scheduler.add({ ...schedule, input });
  scheduler.start();
  await clock.advance(1);
  expect(JSON.parse(deliveries[0]!.payload)).toEqual({
    due: '2026-05-04T03:02:01Z',
    by: schedule.arn,
  });
});

test('a schedule without input says what ticked, and when', async () => {
  const { clock, scheduler, deliveries } = open();
  scheduler.add(schedule);
  scheduler.start();
  await clock.advance(1);
  expect(JSON.parse(deliveries[0]!.payload)).toMatchObject({
    source: 'aws.scheduler',
    time: '2026-05-04T03:02:01Z',
    resources: [schedule.arn],
  });
});
