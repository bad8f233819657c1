/** Times senders against one endpoint, in turns, so that a busy moment hits all of them. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { EndpointMode, EndpointSeen } from './endpoint.ts';
import { orders } from './orders.ts';
import type { Sender } from './senders.ts';

export interface Measured extends EndpointSeen {
  readonly name: string;
  /** Median of the rounds, in records a second. */
  readonly perSec: number;
  /** Lowest and highest of them. */
  readonly spread: readonly [number, number];
  /** Of this process, in microseconds a record: median. */
  readonly cpuUs: number;
}

export interface Endpoint {
  readonly url: string;
  set(mode: EndpointMode): Promise<void>;
  seen(): Promise<EndpointSeen>;
  stop(): Promise<void>;
}

export async function openEndpoint(): Promise<Endpoint> {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'endpoint.ts')], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  const url = line.toString().trim();
  return {
    url,
    async set(mode) {
      await fetch(`${url}/mode`, { method: 'POST', body: JSON.stringify(mode) });
    },
    seen: async () => (await (await fetch(`${url}/seen`)).json()) as EndpointSeen,
    async stop() {
      child.kill();
      await once(child, 'exit');
    },
  };
}

export async function measure(
  endpoint: Endpoint,
  senders: readonly Sender[],
  ask: { mode: EndpointMode; count: number; keys: number; rounds: number },
): Promise<readonly Measured[]> {
  const records = orders(ask.count, ask.keys);
  const samples = new Map<string, { perSec: number; cpuUs: number; seen: EndpointSeen }[]>();
  // The first round warms up, and is not counted.
  for (let round = 0; round <= ask.rounds; round++) {
    for (const sender of senders) {
      await endpoint.set(ask.mode);
      const { run, close } = sender.prepare(records, endpoint.url);
      globalThis.gc?.();
      const cpu = process.cpuUsage();
      const startedMs = performance.now();
      await run();
      const tookMs = performance.now() - startedMs;
      const { user, system } = process.cpuUsage(cpu);
      close();
      if (round === 0) continue;
      const seen = await endpoint.seen();
      const sample = {
        perSec: (ask.count * 1_000) / tookMs,
        cpuUs: (user + system) / ask.count,
        seen,
      };
      samples.set(sender.name, [...(samples.get(sender.name) ?? []), sample]);
    }
  }
  return senders.map(({ name }) => {
    const ofSender = samples.get(name) ?? [];
    const rates = ofSender.map(({ perSec }) => perSec).toSorted((a, b) => a - b);
    const last = ofSender.at(-1)?.seen;
    if (last === undefined) throw new Error(`${name} was not measured`);
    return {
      name,
      ...last,
      perSec: median(rates),
      spread: [rates[0] ?? 0, rates.at(-1) ?? 0],
      cpuUs: median(ofSender.map(({ cpuUs }) => cpuUs).toSorted((a, b) => a - b)),
    };
  });
}

export function median(sorted: readonly number[]): number {
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
