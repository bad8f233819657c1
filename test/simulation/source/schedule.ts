/** One random source, polled while it changes and fails, judged by code that shares nothing with the poller. */
import assert from 'node:assert/strict';
import { memoryCheckpointStore } from '#adapters/memory/checkpoint-store';
import { memoryFeedStates } from '#adapters/memory/feed-states';
import { memoryLedgers } from '#adapters/memory/ledgers';
import { memoryPollStateStore } from '#adapters/memory/poll-state-store';
import { memoryQuarantine } from '#adapters/memory/quarantine';
import { memoryRecordTable } from '#adapters/memory/record-table';
import { parsePipeline } from '#config/parse-pipeline';
import type { OutgoingRecord } from '#core/record/records';
import { diceOf } from '#test/simulation/dice';
import type { Dice } from '#test/simulation/dice';
import { FAULTLESS, simulatedStream } from '#test/simulation/publish/simulated-stream';
import type { StreamFaults } from '#test/simulation/publish/simulated-stream';
import type { ScheduleReport } from '#test/simulation/run-schedules';
import { virtualTime } from '#test/simulation/virtual-time';
import { judge } from './judge.ts';
import type { Found } from './judge.ts';
import { ORIGIN, randomScenario } from './scenario.ts';
import type { Scenario } from './scenario.ts';
import { simulatedApi } from './server/api.ts';
import { sourceRows } from './server/rows.ts';
import { simulatedConsumer } from './simulated-consumer.ts';
import { simulatedPoller } from './simulated-poller.ts';
import { transportTo } from './transport.ts';

const START_MS = 1_900_000_000_000;
const POLLS_AT_REST_MAX = 40;
/** After the source has come to rest: what it left in the middle, and then all of it once more. */
const CAUGHT_UP = 2;
/** A row that moves is passed over by one that reads the whole: only what is missed twice is gone. */
const CAUGHT_UP_OF_A_WHOLE = 4;

/** @throws {Error} the law that is broken, with the source in whose terms it is. */
export async function runSchedule(seed: number): Promise<ScheduleReport> {
  const dice = diceOf(seed);
  const scenario = randomScenario(seed, dice);
  try {
    return await runScenario(scenario, dice);
  } catch (cause) {
    const { file, rows, api } = scenario;
    const told = JSON.stringify({ file, rows, api }, (_, value: unknown) =>
      typeof value === 'bigint' ? String(value) : value,
    );
    throw new Error(`${scenario.name}\n${told}`, { cause });
  }
}

async function runScenario(scenario: Scenario, dice: Dice): Promise<ScheduleReport> {
  const time = virtualTime(START_MS);
  const reached = new Map<string, number>();
  const note = (what: string) => void reached.set(what, (reached.get(what) ?? 0) + 1);
  const parsed = parsePipeline(scenario.file);
  assert.equal(
    parsed.kind,
    'pipeline',
    `the file: ${'faults' in parsed ? parsed.faults.join('; ') : ''}`,
  );
  if (parsed.kind !== 'pipeline') throw new Error('unreachable');

  const rows = sourceRows(scenario.rows, dice);
  rows.fill(dice.below(20), START_MS);
  let changesLeft = 10 + dice.below(25);
  const liveliness = dice.pick([1, 2, 4]);
  function onRequest(): void {
    while (changesLeft > 0 && dice.once(liveliness + 1)) change();
  }
  function change(): void {
    if (changesLeft-- > 0) rows.change(time.nowMs());
  }
  const api = simulatedApi(scenario.api, { rows, nowMs: time.nowMs, dice, note, onRequest });
  const transport = transportTo(api, ORIGIN, time);
  const { isFaultless } = scenario;
  const stream = simulatedStream(
    {
      shards: 2,
      recordsPerSec: isFaultless ? Infinity : dice.pick([5, Infinity]),
      faults: isFaultless ? FAULTLESS : streamFaults(dice),
    },
    time,
    dice,
  );
  const quarantine = memoryQuarantine();
  const states = memoryPollStateStore();
  const table = memoryRecordTable();
  const checkpoints = memoryCheckpointStore();
  const consumer = simulatedConsumer(stream.log, { table, checkpoints, time, dice });
  const poller = simulatedPoller(parsed.settings, {
    time,
    dice,
    note,
    stream,
    states,
    quarantine,
    checkpoints,
    ledgers: memoryLedgers(),
    feedStates: memoryFeedStates(),
    transport,
    url: `${ORIGIN}/parcels?lang=en`,
    secret: api.secret,
  });

  const restore = transport.install();
  try {
    await time.run(whole());
  } finally {
    restore();
  }
  assert.deepEqual(api.complaints, [], 'law 7: the source was asked as was agreed');
  const {
    rows: { shows, isNumbered },
    api: kind,
  } = scenario;
  judge(
    rows,
    {
      published: stream.log.map(published),
      table: new Map(
        [...table.standing.keys()].flatMap((key) => {
          const event = table.get(key);
          return event === undefined ? [] : [[key, JSON.stringify(event.data)] as const];
        }),
      ),
      setAside: quarantine.kept().map(({ payload }) => new TextDecoder().decode(payload)),
    },
    {
      isNumbered,
      hasFeed: kind.feed !== undefined,
      showsChanges: shows === 'changes',
      isInOrder: shows === 'keys' || (kind.order === 'oldest first' && kind.paging.keepsOrder),
    },
  );
  assert.equal(consumer.givenUp(), 0, 'the consumer gives nothing up');
  return { operations: api.requests() + rows.history.length, reached };

  async function whole(): Promise<void> {
    while (changesLeft > 0) {
      const dies = !isFaultless && dice.once(3);
      await tick(dies ? 1 + dice.below(30) : Infinity);
      if (dice.once(3)) await consumer.drain();
      for (let some = dice.below(5); some > 0; some--) change();
      await time.sleep(1_000 + dice.below(dice.pick([4_000, 60_000, 100_000])));
    }
    api.calm();
    stream.calm();
    await time.sleep(Math.max(0, rows.litMs() - time.nowMs()) + 1_000);
    let caughtUp = 0;
    let last: unknown;
    for (let polls = 0; caughtUp < (scenario.isWhole ? CAUGHT_UP_OF_A_WHOLE : CAUGHT_UP); polls++) {
      assert.ok(
        polls < POLLS_AT_REST_MAX,
        `at rest, the source is read to its end: ${JSON.stringify(last)}`,
      );
      const result = await tick(Infinity);
      last = result;
      if (result?.kind === 'caught-up') caughtUp++;
      await time.sleep(70_000 + dice.below(100_000));
    }
    await consumer.drain();
  }

  async function tick(diesAt: number) {
    const result = await poller.tick(diesAt);
    note(`poll ${result?.kind ?? 'died'}`);
    if (result === undefined) await forget();
    return result;
  }

  /** What a process heard, and died before it could write it down, nobody knows. */
  async function forget(): Promise<void> {
    const standing = await states.read('parcels');
    if ((standing?.notBeforeMs ?? 0) < api.notBeforeMs) api.notBeforeMs = 0;
  }
}

function published({ data }: OutgoingRecord): Found['published'][number] {
  const text = new TextDecoder().decode(data);
  const { subject, type } = JSON.parse(text) as { readonly subject: string; readonly type: string };
  // The record's own members stand last.
  return {
    key: subject,
    text: text.slice(text.indexOf(',"data":') + 8, -1),
    isDelete: type.endsWith('.delete'),
  };
}

function streamFaults(dice: Dice): StreamFaults {
  const often = () => dice.pick([0, 0, 10, 40]);
  return {
    ...FAULTLESS,
    entryFails: often(),
    wholeThrottled: often(),
    unanswered: often(),
    fewerAnswers: often(),
    refused: dice.pick([0, 0, 60]),
  };
}
