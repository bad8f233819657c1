/** A pipeline that is paused, and goes on. */
import { expect, vi } from 'vitest';
import { invokePoll } from '#cli/invoke-poll';
import { readLogs } from '#cli/log-reader';
import { pollControl } from '#cli/poll-control';
import { cloudTest } from '#test/clouds/cloud-test';
import { deployTickets, namesOf, sourceRows, tableRows, WAIT } from './tickets-app.ts';
import { fill, ticketsSource } from './tickets-source.ts';

cloudTest(
  'a paused pipeline asks nothing of its source, and goes on where it was; its log tells of both',
  async (cloud) => {
    const source = await ticketsSource();
    fill(source, 0, 90);
    const deployment = await deployTickets(cloud, source);
    const agree = async () => expect(await tableRows(deployment)).toEqual(sourceRows(source));
    await vi.waitFor(agree, WAIT);

    const control = pollControl(deployment.connection, deployment.stage);
    await control.pause('tickets', { sinceMs: Date.now(), reason: 'a test' });
    const lambda = await deployment.connection.signed('lambda');
    const polled = async () => {
      const { status, text } = await invokePoll(lambda, namesOf(deployment).pollFunction);
      expect({ status, ...(JSON.parse(text) as object) }).toMatchObject({
        status: 200,
        kind: 'paused',
        reason: 'a test',
      });
    };
    await vi.waitFor(polled, WAIT);
    const before = await control.read('tickets');
    const asked = source.asked.length;
    source.change('ticket-3');
    source.change('ticket-new');
    await vi.waitFor(polled, WAIT);
    await vi.waitFor(polled, WAIT);
    expect(await control.read('tickets')).toEqual(before);
    expect(source.asked).toHaveLength(asked);

    await control.resume('tickets');
    await vi.waitFor(agree, WAIT);
    expect(source.asked[asked]?.get('since')).toEqual(expect.any(String));

    const functions = [namesOf(deployment).pollFunction];
    const logs = await deployment.connection.signed('logs');
    const said = async () => {
      const outcomes: unknown[] = [];
      for await (const { message } of readLogs(logs, { functions, sinceMs: 0 })) {
        if (!message.includes('"PollEnded"')) continue;
        outcomes.push((JSON.parse(message) as { outcome?: unknown }).outcome);
      }
      expect(outcomes).toEqual(expect.arrayContaining(['caught-up', 'paused']));
    };
    await vi.waitFor(said, WAIT);
  },
);
