/** Processes that run the poller: one polls, is used again, dies between any two steps, and is replaced. */
import type { MemoryQuarantine } from '#adapters/memory/quarantine';
import { contentDigest } from '#adapters/system/content-digest';
import type { OutgoingRecord } from '#core/record/records';
import type { PipelineSettings } from '#config/pipeline-settings';
import { openPageSources } from '#functions/poll/open-page-source';
import { toPollOptions } from '#functions/poll/poll-options';
import { shardPacer } from '#pipeline/pacer';
import { poll } from '#pipeline/poll';
import type { PollResult } from '#pipeline/poll';
import type { PollWorld } from '#pipeline/poll-options';
import type { CheckpointReader } from '#ports/checkpoint-store';
import type { FeedStates } from '#ports/feed-states';
import type { Ledgers } from '#ports/ledgers';
import type { PollStateStore } from '#ports/poll-state';
import type { Dice } from '#test/simulation/dice';
import type { SimulatedStream } from '#test/simulation/publish/simulated-stream';
import type { VirtualTime } from '#test/simulation/virtual-time';
import { lifeOf } from './life.ts';
import type { Life } from './life.ts';
import type { Transport } from './transport.ts';

export interface PollerWorld {
  readonly time: VirtualTime;
  readonly dice: Dice;
  readonly note: (what: string) => void;
  readonly stream: SimulatedStream;
  readonly states: PollStateStore;
  readonly quarantine: MemoryQuarantine;
  readonly checkpoints: CheckpointReader;
  readonly ledgers: Ledgers;
  readonly feedStates: FeedStates;
  readonly transport: Transport;
  readonly url: string;
  readonly secret: () => string;
}

export interface SimulatedPoller {
  /** @param diesAt the step that the process does not outlive. @returns undefined when it died. */
  tick(diesAt: number): Promise<PollResult | undefined>;
}

interface Process {
  readonly life: Life;
  run(remainingMs: () => number): Promise<PollResult>;
}

export function simulatedPoller(settings: PipelineSettings, world: PollerWorld): SimulatedPoller {
  const { time, dice, note, transport } = world;
  const timeoutMs = settings.poll.timeoutSec * 1_000;
  const requestLimits = { requestRecordsMax: 1 + dice.below(6), requestBytesMax: 100_000 };
  let process: Process | undefined;

  return {
    async tick(diesAt) {
      const { life, run } = (process ??= start());
      transport.caller = life;
      life.endsAt(diesAt);
      const untilMs = time.nowMs() + timeoutMs;
      const work = run(() => untilMs - time.nowMs());
      const result = await Promise.race([work, life.death, time.sleep(timeoutMs)]);
      if (result === undefined) {
        note(life.isAlive() ? 'out of its time altogether' : 'died');
        life.die();
        process = undefined;
      }
      return result ?? undefined;
    },
  };

  function start(): Process {
    const life = lifeOf(dice);
    const env = { PARCELS_API_URL: world.url };
    const clock = { nowMs: time.nowMs, sleep: (ms: number) => life.step(() => time.sleep(ms)) };
    const report: PollWorld['report'] = ({ event }) => note(event);
    const options = { ...toPollOptions(settings, undefined, env), requestLimits };
    let known = world.secret();
    const { source, deletes } = openPageSources(settings.source, {
      env,
      clock,
      openSecret:
        () =>
        async ({ fresh }) =>
          (known = fresh ? world.secret() : known),
    });
    const { stream, states, quarantine, checkpoints, ledgers, feedStates } = world;
    const ports: Omit<PollWorld, 'remainingMs'> = {
      source: { fetchPage: (request) => life.step(() => source.fetchPage(request)) },
      writer: { put: (records, signal) => life.step(() => stream.put(records.map(copy), signal)) },
      states: {
        acquire: (ask) => life.step(() => states.acquire(ask)),
        save: (...ask) => life.step(() => states.save(...ask)),
        release: (...ask) => life.step(() => states.release(...ask)),
      },
      quarantine: { put: (refused) => life.step(() => quarantine.put(refused)) },
      checkpoints: { list: (ask) => life.step(() => checkpoints.list(ask)) },
      ledgers: {
        put: (...ask) => life.step(() => ledgers.put(...ask)),
        get: (name) => life.step(() => ledgers.get(name)),
        names: () => life.step(() => ledgers.names()),
        remove: (name) => life.step(() => ledgers.remove(name)),
      },
      deletes: deletes && {
        source: { fetchPage: (request) => life.step(() => deletes.fetchPage(request)) },
        states: {
          open: (lease) => life.step(() => feedStates.open(lease)),
          save: (...ask) => life.step(() => feedStates.save(...ask)),
        },
      },
      clock,
      chance: dice.roll,
      digest: contentDigest,
      report,
      pacer: shardPacer(options, {
        shards: { listOpen: () => life.step(() => stream.listOpen()) },
        hashKey: stream.hashKey,
        clock,
        report,
      }),
    };
    return { life, run: (remainingMs) => poll(options, { ...ports, remainingMs }) };
  }
}

/** What is on the wire stays as it was, though its sender use the memory again. */
function copy({ partitionKey, data }: OutgoingRecord): OutgoingRecord {
  return { partitionKey, data: data.slice() };
}
