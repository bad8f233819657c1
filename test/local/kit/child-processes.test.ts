/** Stepped time where functions run in processes of their own, and clients in others. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { startCloud } from '#local/cloud';
import type { CloudEvent } from '#local/cloud-event';
import { steppedClock } from '#local/kit/stepped-clock';
import { writeSmallApp } from '#test/local/cloud-fixture';

async function start() {
  const events: CloudEvent[] = [];
  const cloud = await startCloud({
    cdkOut: { directory: writeSmallApp() },
    parameters: { OrdersApiUrl: 'http://127.0.0.1:9/orders' },
    clock: steppedClock(Date.UTC(2026, 2, 4, 5, 6, 7)),
    onEvent: (event) => void events.push(event),
  });
  onTestFinished(() => cloud.stop());
  const invocations = (name: string) =>
    events.filter((event) => event.kind === 'invocation' && event.functionName === name).length;
  return { cloud, invocations };
}

test('a step waits until the functions that it called have ended', async () => {
  const { cloud, invocations } = await start();
  await cloud.step(4 * 60_000 - 1);
  expect(invocations('poll')).toBe(4);
  await cloud.untilIdle();
  expect(invocations('consume')).toBeGreaterThan(0);
  expect(cloud.isIdle()).toBe(true);
});

test('another process speaks to the cloud with its variables', async () => {
  const { cloud } = await start();
  const script = `
    const { KinesisClient, ListStreamsCommand } = require('@aws-sdk/client-kinesis');
    new KinesisClient({}).send(new ListStreamsCommand({})).then(
      ({ StreamNames }) => console.log(StreamNames.join()),
    );`;
  const env = { PATH: process.env['PATH'], ...cloud.environment };
  const { stdout } = await promisify(execFile)(process.execPath, ['-e', script], { env });
  expect(stdout).toBe('river\n');
});

test('a cloud in the machine’s time cannot be stepped, and settles when nothing runs', async () => {
  const cloud = await startCloud({ template: { Resources: {} } });
  onTestFinished(() => cloud.stop());
  await expect(cloud.step(1)).rejects.toThrow(
    /^The cloud’s clock cannot be stepped: start it with/,
  );
  await cloud.settle();
  expect(cloud.resources).toEqual({});
});
