/** Writes to the stream that fail in part, as a whole, or without an answer. */
import { expect, vi } from 'vitest';
import type { Deployment } from '#test/clouds/cloud';
import { cloudTest } from '#test/clouds/cloud-test';
import { faultProxy, refusal } from '#test/clouds/fault-proxy';
import type { Handle } from '#test/clouds/fault-proxy';
import { streamRecords } from './read-stream.ts';
import { deployTickets, namesOf, sourceRows, tableRows, WAIT } from './tickets-app.ts';
import { ticketsSource } from './tickets-source.ts';
import type { TicketsSource } from './tickets-source.ts';

const TICKETS = 12;
const CHANGES_EACH = 20;

cloudTest(
  'only what was not confirmed is sent again, and first writes of a key keep their order',
  async (cloud) => {
    const source = await ticketsSource();
    listChanges(source);
    const { handle, confirmations } = failingWrites();
    const proxy = await faultProxy(handle);
    const deployment = await deployTickets(cloud, source, {
      functionEnv: { '-poll': { AWS_ENDPOINT_URL_KINESIS: proxy.url } },
    });
    proxy.pass(deployment.endpoint);
    const allConfirmed = async () => {
      expect(await tableRows(deployment)).toEqual(sourceRows(source));
      expect(confirmations().filter((each) => !each.includes(true))).toEqual([]);
    };
    await vi.waitFor(allConfirmed, WAIT);

    const sentAgain = confirmations().filter((each) => each.length > 1);
    expect(sentAgain.length).toBeGreaterThan(TICKETS);
    expect(sentAgain.filter((each) => each.slice(0, -1).includes(true))).toEqual([]);
    const versions = await versionsOf(deployment);
    expect(versions.size).toBe(TICKETS);
    for (const each of versions.values()) {
      expect(each).toHaveLength(CHANGES_EACH);
      expect(each).toEqual(each.toSorted());
    }
  },
);

/** A source that lists every change, so that a page holds a ticket several times. */
function listChanges(source: TicketsSource): void {
  const ids = Array.from({ length: TICKETS }, (_, at) => `ticket-${at}`);
  for (let round = 1; round < CHANGES_EACH; round++) {
    for (const ticket_id of ids) source.serve({ ticket_id, subject: `change ${round}` });
  }
  for (const id of ids) source.change(id);
}

interface Entry {
  readonly Data: string;
}

interface Result {
  readonly SequenceNumber?: string;
  readonly ErrorCode?: string;
}

const resultsIn = (body: unknown): readonly Result[] =>
  (body as { readonly Records?: readonly Result[] } | undefined)?.Records ?? [];

/** Requests fail in these ways, one after another. */
const FAULTS: readonly Handle[] = [
  inPart(0),
  inPart(1),
  async () => refusal('ProvisionedThroughputExceededException'),
  inPart(2),
  async ({ body }, forward) => {
    await forward(body); // All of it is written, and nobody is told.
    return undefined;
  },
  async () => refusal('InternalFailure', 500),
  ({ body }, forward) => forward(body),
];

function failingWrites() {
  /** Of each entry, whether it was confirmed, each time it was sent. */
  const sent = new Map<string, boolean[]>();
  let requests = 0;
  const handle: Handle = async (call, forward) => {
    const fault = FAULTS[requests++ % FAULTS.length] as Handle;
    const answer = await fault(call, forward);
    const results = resultsIn(answer?.body);
    for (const [at, { Data }] of (call.body['Records'] as readonly Entry[]).entries()) {
      const confirmed = results[at]?.SequenceNumber !== undefined;
      sent.set(Data, [...(sent.get(Data) ?? []), confirmed]);
    }
    return answer;
  };
  return { handle, confirmations: () => [...sent.values()] };
}

/** Every third entry is kept from the stream. */
function inPart(first: number): Handle {
  const fails = (_entry: unknown, at: number) => at % 3 === first;
  return async ({ body }, forward) => {
    const entries = body['Records'] as readonly Entry[];
    const others = entries.filter((entry, at) => !fails(entry, at));
    const answer = others.length > 0 && (await forward({ ...body, Records: others }));
    if (answer && answer.status !== 200) return answer;
    const results = [...resultsIn(answer && answer.body)];
    const failed = (at: number): Result => ({
      ErrorCode: at % 2 === 0 ? 'ProvisionedThroughputExceededException' : 'InternalFailure',
    });
    const Records = entries.map((entry, at) => (fails(entry, at) ? failed(at) : results.shift()));
    return { status: 200, body: { FailedRecordCount: entries.length - others.length, Records } };
  };
}

/** The versions of each key, in the order in which they first stand in the stream. */
async function versionsOf(deployment: Deployment): Promise<Map<string, readonly string[]>> {
  const found = new Map<string, Set<string>>();
  const { stream } = namesOf(deployment);
  for (const { partitionKey, data } of await streamRecords(deployment, stream)) {
    const { version } = JSON.parse(Buffer.from(data).toString()) as { version: string };
    found.set(partitionKey, (found.get(partitionKey) ?? new Set()).add(version));
  }
  return new Map([...found].map(([key, versions]) => [key, [...versions]]));
}
