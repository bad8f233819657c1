/** Times senders against one endpoint, in turns, so that a busy moment hits all of them. */
import type { EndpointMode, EndpointSeen } from './endpoint.ts';
import type { Endpoint } from './endpoints.ts';
import type { Sender } from './senders.ts';
import type { SizedRecord } from '#pipeline/publish';

export interface Middle {
  readonly median: number;
  readonly lowest: number;
  readonly highest: number;
}

export interface Measured {
  readonly name: string;
  readonly perSec: Middle;
  /** Records a second, by those of the first sender in the same round. */
  readonly ofFirst: Middle;
  /** Of the sender's process, in microseconds a record. */
  readonly cpuUs: Middle;
  readonly cpuOfFirst: Middle;
  /** What the endpoint saw in the last round; undefined when it looks at nothing. */
  readonly seen: EndpointSeen | undefined;
}

export interface MeasureAsk {
  readonly mode: EndpointMode;
  /** What is sent, or as many from elsewhere. */
  readonly records: readonly SizedRecord[];
  readonly count: number;
  readonly rounds: number;
}

interface Sample {
  readonly perSec: number;
  readonly cpuUs: number;
}

const MS_PER_SEC = 1_000;

export async function measure(
  endpoint: Endpoint,
  senders: readonly Sender[],
  ask: MeasureAsk,
): Promise<readonly Measured[]> {
  const rounds: Sample[][] = [];
  const seen: (EndpointSeen | undefined)[] = [];
  // The first round warms up, and is not counted.
  for (let round = 0; round <= ask.rounds; round++) {
    const samples: Sample[] = [];
    for (const [at, sender] of senders.entries()) {
      await endpoint.set(ask.mode);
      samples.push(await timed(endpoint, sender, ask));
      seen[at] = await endpoint.seen();
    }
    if (round > 0) rounds.push(samples);
  }
  return senders.map(({ name }, at) => {
    const middle = (of: (own: Sample, first: Sample) => number) =>
      middleOf(rounds.map((samples) => of(samples[at] as Sample, samples[0] as Sample)));
    return {
      name,
      perSec: middle(({ perSec }) => perSec),
      ofFirst: middle((own, first) => own.perSec / first.perSec),
      cpuUs: middle(({ cpuUs }) => cpuUs),
      cpuOfFirst: middle((own, first) => own.cpuUs / first.cpuUs),
      seen: seen[at],
    };
  });
}

async function timed(endpoint: Endpoint, sender: Sender, ask: MeasureAsk): Promise<Sample> {
  const { run, close } = sender.prepare(endpoint.url, ask.records);
  globalThis.gc?.();
  const cpu = process.cpuUsage();
  const startedMs = performance.now();
  const elsewhere = await run();
  const { user, system } = process.cpuUsage(cpu);
  const here = { tookMs: performance.now() - startedMs, cpuUs: user + system };
  close();
  const { tookMs, cpuUs } = elsewhere ?? here;
  return { perSec: (ask.count * MS_PER_SEC) / tookMs, cpuUs: cpuUs / ask.count };
}

export function middleOf(samples: readonly number[]): Middle {
  const sorted = samples.toSorted((a, b) => a - b);
  const nth = (at: number) => sorted.at(at) ?? Number.NaN;
  return { median: nth(Math.floor(sorted.length / 2)), lowest: nth(0), highest: nth(-1) };
}
