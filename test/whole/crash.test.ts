/** A function killed at the worst moment; afterwards the table is the source all the same. */
import { expect, vi } from 'vitest';
import type { Cloud } from '#test/clouds/cloud';
import { cloudTest } from '#test/clouds/cloud-test';
import { faultProxy } from '#test/clouds/fault-proxy';
import { killSwitch } from './kill-switch.ts';
import { deployTickets, sourceRows, tableRows, WAIT } from './tickets-app.ts';
import { fill, ticketsSource } from './tickets-source.ts';

/** Decides by what the function asked of its cloud before, and what it asks now. */
type IsMoment = (operation: string, before: readonly string[]) => boolean;

const count = (operation: string, calls: readonly string[]) =>
  calls.filter((call) => call === operation).length;

cloudTest('a poll killed between publish and save loses nothing', async (cloud) => {
  await outliveKill(cloud, '-poll', (operation, before) => {
    const follows = before.at(-1) === 'PutRecords' && count('PutRecords', before) === 2;
    return follows && operation === 'UpdateItem';
  });
});

cloudTest('a poll killed while its publish is unanswered loses nothing', async (cloud) => {
  await outliveKill(cloud, '-poll', (operation, before) => {
    return operation === 'PutRecords' && count('PutRecords', before) === 1;
  });
});

cloudTest('a consumer killed in the middle of its writes loses nothing', async (cloud) => {
  await outliveKill(cloud, '-consume-tickets', (operation, before) => {
    return operation === 'UpdateItem' && count('UpdateItem', before) === 30;
  });
});

/** Kill a function in the moment of a call, which its cloud never sees, and let it go on. */
async function outliveKill(cloud: Cloud, name: string, isMoment: IsMoment): Promise<void> {
  const source = await ticketsSource();
  fill(source, 0, 300);
  const victim = await killSwitch();
  const before: string[] = [];
  let killing: Promise<number> | undefined;
  const proxy = await faultProxy(async ({ operation, body }, forward) => {
    const strikes = killing === undefined && isMoment(operation, before);
    before.push(operation);
    if (!strikes) return forward(body);
    await (killing = victim.kill());
    return undefined;
  });
  const ends = { AWS_ENDPOINT_URL_DYNAMODB: proxy.url, AWS_ENDPOINT_URL_KINESIS: proxy.url };
  const functionEnv = { [name]: { ...victim.env, ...ends } };
  const deployment = await deployTickets(cloud, source, { functionEnv });
  proxy.pass(deployment.endpoint);
  await vi.waitFor(async () => expect(await killing).toBeGreaterThan(0), WAIT);

  fill(source, 300, 40);
  const agree = async () => expect(await tableRows(deployment)).toEqual(sourceRows(source));
  await vi.waitFor(agree, WAIT);
}
