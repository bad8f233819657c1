/** A consumer that fails for good: what it gives up is kept, and its neighbour is not held up. */
import { expect, vi } from 'vitest';
import { cloudTest } from '#test/clouds/cloud-test';
import { givenUpBy } from './given-up.ts';
import { streamRecords } from './read-stream.ts';
import { deployTickets, namesOf, sourceRows, tableRows, WAIT } from './tickets-app.ts';
import { ticketsSource } from './tickets-source.ts';
import { AUDIT_RETRIES, WITH_AUDIT } from './tickets-variants.ts';

const textOf = (data: Uint8Array) => Buffer.from(data).toString();

cloudTest(
  'a consumer that always fails gives up every record whole, and holds up no other',
  async (cloud) => {
    const source = await ticketsSource();
    for (let i = 0; i < 5; i++) source.change(`ticket-${i}`);
    const deployment = await deployTickets(cloud, source, {
      pipeline: WITH_AUDIT,
      // It cannot even start.
      functionEnv: { '-consume-audit': { PENSTOCK_TABLE: '' } },
    });
    const { stream } = namesOf(deployment);

    await vi.waitFor(async () => {
      expect(await tableRows(deployment)).toEqual(sourceRows(source));
      const published = await streamRecords(deployment, stream);
      const kept = (await givenUpBy(deployment)).flatMap(({ records }) => records);
      expect(kept.length).toBe(published.length);
      expect(new Map(kept.map(({ sequenceNumber, text }) => [sequenceNumber, text]))).toEqual(
        new Map(published.map(({ sequenceNumber, data }) => [sequenceNumber, textOf(data)])),
      );
    }, WAIT);

    const givenUp = await givenUpBy(deployment);
    expect([...new Set(givenUp.map(({ mapping }) => mapping))]).toEqual([expect.any(String)]);
    for (const { requestContext, KinesisBatchInfo, records } of givenUp) {
      expect(requestContext.functionArn).toMatch(/-consume-audit(:\$LATEST)?$/);
      expect(requestContext.condition).toBe('RetryAttemptsExhausted');
      expect(requestContext.approximateInvokeCount).toBeGreaterThanOrEqual(1 + AUDIT_RETRIES);
      expect(KinesisBatchInfo.batchSize).toBe(records.length);
    }
    expect((await tableRows(deployment, `${stream}-audit`)).size).toBe(0);
  },
);
