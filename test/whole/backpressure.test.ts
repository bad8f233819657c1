/** A consumer that gets nothing holds its source's polls back; they go on by themselves. */
import { expect, vi } from 'vitest';
import { invokePoll } from '#cli/invoke-poll';
import { pollControl } from '#cli/poll-control';
import { cloudTest } from '#test/clouds/cloud-test';
import type { Fault } from '#local/faults/fault';
import { deployTickets, namesOf, sourceRows, tableRows, WAIT } from './tickets-app.ts';
import { fill, TICKETS_FILE, ticketsSource } from './tickets-source.ts';

const BOUNDED = TICKETS_FILE.replace(
  'schedule: {',
  'poll: { behind: { ageMinutesMax: 1 } },\n  schedule: {',
);

cloudTest(
  'polls wait for a consumer that is behind, say so, and go on once it is not',
  async (cloud) => {
    const source = await ticketsSource();
    const deployment = await deployTickets(cloud, source, { pipeline: BOUNDED });
    const names = namesOf(deployment);
    const faults = `${deployment.endpoint}/_penstock/faults`;
    const add = async (fault: Fault): Promise<string> => {
      const answer = await fetch(faults, { method: 'POST', body: JSON.stringify(fault) });
      return ((await answer.json()) as { id: string }).id;
    };
    const withheld = await add({ kind: 'withhold-batch', function: names.consumeFunction });
    fill(source, 0, 90);
    const control = pollControl(deployment.connection, deployment.stage);
    const lambda = await deployment.connection.signed('lambda');
    const polled = async () => {
      const { text } = await invokePoll(lambda, names.pollFunction);
      return JSON.parse(text) as { readonly kind?: string };
    };
    await vi.waitFor(async () => {
      expect(await control.read('tickets')).toMatchObject({ end: { outcome: 'caught-up' } });
      expect(source.asked.length).toBeGreaterThan(2);
    }, WAIT);

    // What was published is three minutes old at once.
    await add({ kind: 'skew-clock', function: names.pollFunction, skewMs: 180_000 });
    await vi.waitFor(async () => {
      expect(await polled()).toMatchObject({
        kind: 'held-back',
        detail: expect.stringMatching(
          /^tickets is \d+ min behind in shardId-\d{12}; the bound is 1 min$/,
        ) as string,
      });
    }, WAIT);
    const asked = source.asked.length;
    source.change('ticket-new');
    await vi.waitFor(async () => expect((await polled()).kind).toBe('held-back'), WAIT);
    expect(source.asked).toHaveLength(asked);
    expect(await tableRows(deployment)).toEqual(new Map());

    await fetch(`${faults}/${withheld}`, { method: 'DELETE' });
    await vi.waitFor(
      async () => expect(await tableRows(deployment)).toEqual(sourceRows(source)),
      WAIT,
    );
    expect(source.rows.has('ticket-new')).toBe(true);
  },
);
