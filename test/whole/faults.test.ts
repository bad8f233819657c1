/** One deployed app, and every fault in turn: at the end the table is the source, and losses are told. */
import { expect, test, vi } from 'vitest';
import type { Fault } from '#local/faults/fault';
import { FAULT_KINDS } from '#local/faults/fault-kinds';
import type { PlannedFault } from '#local/faults/fault-book';
import { openWorld, ticketsOfFile } from './alarms-world.ts';
import type { World } from './alarms-world.ts';
import { streamRecords } from './read-stream.ts';
import { namesOf, sourceRows, tableRows, WAIT } from './tickets-app.ts';
import { fill } from './tickets-source.ts';

const app = ticketsOfFile();

/** The control endpoint, as any program would ask it. */
function faultsOf({ cloud: { endpoint } }: World) {
  const url = `${endpoint}/_penstock/faults`;
  return {
    async add(fault: Fault): Promise<string> {
      const response = await fetch(url, { method: 'POST', body: JSON.stringify(fault) });
      expect(response.status).toBe(201);
      return ((await response.json()) as { id: string }).id;
    },
    async hits(id: string): Promise<number> {
      const list = (await (await fetch(url)).json()) as readonly PlannedFault[];
      return list.find((one) => one.id === id)?.hits ?? 0;
    },
    async remove(id: string): Promise<void> {
      expect((await fetch(`${url}/${id}`, { method: 'DELETE' })).status).toBe(204);
    },
  };
}

/** In the order in which they are made, each alone, while the source goes on changing. */
function faultsFor({ stream, table, pollFunction, consumeFunction }: World['names']): Fault[] {
  return [
    { kind: 'throttle-entries', stream, share: 0.4, times: 9 },
    { kind: 'refuse-entry', stream, entry: 1, times: 2 },
    { kind: 'refuse-put', stream, times: 1 },
    { kind: 'lose-put-answer', stream, times: 1 },
    { kind: 'split-shard', stream },
    { kind: 'throttle-table', table, times: 3 },
    { kind: 'lose-table-answer', table, times: 2 },
    { kind: 'error-before', service: 'kinesis', operation: 'PutRecords', times: 1 },
    { kind: 'error-after', service: 'kinesis', operation: 'PutRecords', times: 1 },
    { kind: 'cut-before', service: 'dynamodb', times: 2 },
    { kind: 'cut-after', service: 'dynamodb', times: 2 },
    { kind: 'cut-amid', service: 'kinesis', operation: 'PutRecords', times: 1 },
    { kind: 'hang', service: 'dynamodb', times: 1 },
    { kind: 'delay', service: 'kinesis', delayMs: 400, times: 2 },
    { kind: 'kill-function', function: pollFunction, intoMs: 30, times: 1 },
    { kind: 'kill-function', function: consumeFunction, intoMs: 10, times: 2 },
    { kind: 'freeze-function', function: consumeFunction, intoMs: 5, times: 1 },
    { kind: 'skew-clock', function: consumeFunction, skewMs: -3_600_000, times: 2 },
    { kind: 'merge-shards', stream },
    { kind: 'deliver-again', function: consumeFunction, times: 2 },
    { kind: 'withhold-batch', function: consumeFunction, times: 2 },
    { kind: 'double-tick', schedule: pollFunction, times: 1 },
    { kind: 'lose-tick', schedule: pollFunction, times: 1 },
  ];
}

/** Of these the pipeline makes no request; who reads a stream by hand does, and who asks in batches. */
const OF_OTHERS = ['throttle-read', 'expire-iterator', 'unprocessed-item'];

/** A tick may have to wait for a poll that a fault keeps; what counts is that one more has ended. */
async function minuteWithPoll(world: World): Promise<void> {
  const before = world.pollsMs.length;
  await world.minute(({ pollsMs }) => pollsMs.length > before);
}

test('rows are the source’s after every fault, and a tick that was lost is told', async () => {
  const world = await openWorld(app());
  const faults = faultsOf(world);
  const made = faultsFor(namesOf(app()));
  expect(new Set([...made.map(({ kind }) => kind), ...OF_OTHERS])).toEqual(
    new Set(Object.keys(FAULT_KINDS)),
  );
  for (const [turn, fault] of made.entries()) {
    const id = await faults.add(fault);
    await vi.waitFor(async () => {
      fill(world.source, turn * 20, 20);
      await minuteWithPoll(world);
      await vi.waitFor(async () => expect([fault, await faults.hits(id)]).not.toEqual([fault, 0]), {
        timeout: 1_500,
      });
    }, WAIT);
    await faults.remove(id);
  }
  const agree = async () => {
    await minuteWithPoll(world);
    expect(await tableRows({ ...app(), ...world })).toEqual(sourceRows(world.source));
  };
  await vi.waitFor(agree, WAIT);
  expect(world.rung).toContain('ticks-dropped');
  expect(world.defects).toEqual([]);
});

test('who reads a stream reads all of it, though reads are throttled and iterators expire', async () => {
  const world = await openWorld(app(), { rows: 60 });
  await world.minute((now) => now.isPolled() && now.isTried());
  const faults = faultsOf(world);
  const { stream } = namesOf(app());
  const all = await streamRecords(world, stream);
  expect(all.length).toBeGreaterThan(50);
  for (const kind of ['throttle-read', 'expire-iterator'] as const) {
    const id = await faults.add({ kind, stream, times: 1 });
    expect((await streamRecords(world, stream)).length).toBe(all.length);
    expect([kind, await faults.hits(id)]).toEqual([kind, 1]);
  }
});
