import { expect } from 'vitest';
import { readSchedule } from '#local/emulators/scheduler/schedule';
import { createScheduler } from '#local/emulators/scheduler/scheduler';
import { isSchedulerRequest } from '#local/emulators/scheduler/scheduler-api';
import { ask } from '#test/local/ask';
import { steppedClock } from '#local/kit/stepped-clock';
import { ruleTest } from '#test/local/rules/rule-test';

const START_MS = Date.parse('2026-05-04T03:02:01Z');
const SIGNED = 'AWS4-HMAC-SHA256 Credential=local/20260504/us-east-1/scheduler/aws4_request, …';

const INPUT = {
  ScheduleExpression: 'rate(2 minutes)',
  FlexibleTimeWindow: { Mode: 'OFF' },
  Target: { Arn: 'arn:aws:lambda:us-east-1:000000000000:function:fn', RoleArn: 'arn:…' },
};

const arnOf = (name: string) => `arn:aws:scheduler:us-east-1:000000000000:schedule/default/${name}`;
const read = (change: object) => readSchedule({ ...INPUT, ...change }, 'poll', arnOf('poll'));

function open(...names: readonly string[]) {
  const clock = steppedClock(START_MS);
  const times: number[] = [];
  const scheduler = createScheduler({
    clock,
    deliver: async () => void times.push((clock.nowMs() - START_MS) / 60_000),
  });
  for (const name of names) scheduler.add(readSchedule(INPUT, name, arnOf(name)));
  scheduler.start();
  const call = async (method: string, path: string, body?: object) => {
    const headers = { authorization: SIGNED };
    expect(isSchedulerRequest({ path: path.split('?')[0]!, headers })).toBe(true);
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    const answer = await ask(scheduler.api, method, path, { headers, ...sent });
    const code = answer.headers['x-amzn-errortype'];
    return { status: answer.status, code, body: JSON.parse(answer.text) };
  };
  return { clock, times, call };
}

ruleTest('scheduler', 'api-described', async () => {
  const { call } = open('b', 'a', 'c');
  expect((await call('GET', '/schedules/a')).body).toEqual({
    Arn: arnOf('a'),
    Name: 'a',
    GroupName: 'default',
    State: 'ENABLED',
    ScheduleExpression: 'rate(2 minutes)',
    ScheduleExpressionTimezone: 'UTC',
    CreationDate: START_MS / 1_000,
    LastModificationDate: START_MS / 1_000,
    FlexibleTimeWindow: { Mode: 'OFF' },
    Target: {
      Arn: INPUT.Target.Arn,
      RetryPolicy: { MaximumRetryAttempts: 185, MaximumEventAgeInSeconds: 86_400 },
    },
  });
  const first = (await call('GET', '/schedules?MaxResults=2')).body;
  expect(first.Schedules.map(({ Name }: { Name: string }) => Name)).toEqual(['a', 'b']);
  const rest = (await call('GET', `/schedules?NextToken=${first.NextToken}`)).body;
  expect(rest.Schedules).toMatchObject([{ Name: 'c', Target: { Arn: INPUT.Target.Arn } }]);
  expect((await call('GET', '/schedules?NamePrefix=b')).body.Schedules).toHaveLength(1);
  expect((await call('GET', '/schedules?State=DISABLED')).body.Schedules).toEqual([]);
  expect(isSchedulerRequest({ path: '/schedules/a', headers: {} })).toBe(false);
});

ruleTest('scheduler', 'api-updated', async () => {
  const { call, clock, times } = open('poll');
  await clock.step(180_000);
  const change = { ...INPUT, ScheduleExpression: 'rate(5 minutes)' };
  expect((await call('PUT', '/schedules/poll', change)).body).toEqual({
    ScheduleArn: arnOf('poll'),
  });
  await clock.step(300_000);
  expect(times).toEqual([0, 2, 3, 8]);
  await call('PUT', '/schedules/poll', { ...change, State: 'DISABLED' });
  await clock.step(3_600_000);
  expect(times).toHaveLength(4);
});

ruleTest('scheduler', 'api-deleted', async () => {
  const { call, clock, times } = open('poll');
  await clock.step(1);
  expect((await call('DELETE', '/schedules/poll')).status).toBe(200);
  await clock.step(3_600_000);
  expect(times).toEqual([0]);
  expect((await call('GET', '/schedules/poll')).status).toBe(404);
});

ruleTest('scheduler', 'api-refused', async () => {
  const { call } = open('poll');
  expect((await call('GET', '/schedules/%')).status).toBe(404);
  expect(await call('GET', '/schedules/none')).toMatchObject({
    status: 404,
    code: 'ResourceNotFoundException',
    body: { Message: 'Schedule none does not exist.' },
  });
  const words = async (change: object) =>
    (await call('PUT', '/schedules/poll', { ...INPUT, ...change })).body.Message;
  expect(await words({ Colour: 'red' })).toBe('emulator limit: parameter Colour is not supported');
  expect(await words({ ScheduleExpression: 'now' })).toContain('now is none of rate');
  const Target = { Arn: 'arn:aws:lambda:us-east-1:000000000000:function:other' };
  expect(await words({ Target })).toBe('emulator limit: Target.Arn cannot be changed.');
  expect((await call('POST', '/schedules/new', INPUT)).body.Message).toBe(
    'emulator limit: no CreateSchedule',
  );
});

ruleTest('scheduler', 'retry-bounds', () => {
  const withRetry = (RetryPolicy: object) => read({ Target: { ...INPUT.Target, RetryPolicy } });
  expect(withRetry({ MaximumRetryAttempts: 0, MaximumEventAgeInSeconds: 60 }).retry).toEqual({
    attemptsMax: 0,
    ageMaxSec: 60,
  });
  expect(withRetry({}).retry).toEqual({ attemptsMax: 185, ageMaxSec: 86_400 });
  expect(() => withRetry({ MaximumRetryAttempts: 186 })).toThrow('must be 0 to 185');
  expect(() => withRetry({ MaximumEventAgeInSeconds: 59 })).toThrow('must be 60 to 86400');
});

ruleTest(
  'scheduler',
  'flexible-window',
  () => {
    const withWindow = (FlexibleTimeWindow: object) => read({ FlexibleTimeWindow });
    expect(withWindow({ Mode: 'FLEXIBLE', MaximumWindowInMinutes: 1_440 }).flexibleMinutes).toBe(
      1_440,
    );
    expect(() => withWindow({ Mode: 'FLEXIBLE' })).toThrow('must be 1 to 1440');
    expect(() => withWindow({ Mode: 'OFF', MaximumWindowInMinutes: 5 })).toThrow('that is OFF');
    expect(() => withWindow({ Mode: 'OPEN' })).toThrow('OPEN, neither OFF nor FLEXIBLE');
  },
  'and has bounds',
);

ruleTest('scheduler', 'input-size', () => {
  const withInput = (Input: string) => read({ Target: { ...INPUT.Target, Input } });
  expect(withInput('x'.repeat(262_144)).input).toHaveLength(262_144);
  expect(() => withInput('x'.repeat(262_145))).toThrow('Target.Input is longer than 262144 bytes');
});

ruleTest(
  'scheduler',
  'end-date',
  () => {
    expect(read({ StartDate: START_MS / 1_000, EndDate: '2026-05-04T03:02:02Z' })).toMatchObject({
      startMs: START_MS,
      endMs: START_MS + 1_000,
    });
    const wrong = { StartDate: '2026-05-04T03:02:02Z', EndDate: '2026-05-04T03:02:02Z' };
    expect(() => read(wrong)).toThrow('EndDate is not after StartDate.');
    expect(() => read({ EndDate: 'soon' })).toThrow('EndDate is soon, which is no date.');
  },
  'which is after the start',
);
