/** One shop behind two APIs: of one seed, both know the same orders. */
import type { Server } from 'node:http';
import { parseArgs } from 'node:util';
import { json } from './answer.ts';
import type { Answer } from './answer.ts';
import { planFaults } from './faults.ts';
import type { ChangePlan } from './order-changes.ts';
import { demoServer, runDemoProcess } from './serve.ts';
import type { DemoSource } from './serve.ts';
import { virtualClock } from './virtual-clock.ts';

export interface ShopOptions {
  readonly seed: number;
  /** Changes of orders while the clock runs. */
  readonly changes: number;
  /** Real seconds from the first request to the last change. */
  readonly seconds: number;
  /** Virtual seconds in a real one. */
  readonly speed: number;
  readonly token: string;
  readonly realMs: () => number;
}

export const SHOP_START_MS = Date.UTC(2026, 2, 1, 8);

/** What `planOrderChanges` is asked for, by either API. */
export function orderPlan({ seed, changes, seconds, speed }: ShopOptions): ChangePlan {
  return {
    seed,
    changes,
    history: Math.ceil(changes / 20),
    startMs: SHOP_START_MS,
    durationMs: seconds * speed * 1000,
  };
}

/** Make the server of one API, which asks for the shop's token; it does not listen yet. */
export function shopServer(
  { speed, token, realMs }: ShopOptions,
  { faultSeed, ...source }: Omit<DemoSource, 'admit'> & { readonly faultSeed: number },
): Server {
  return demoServer({
    clock: virtualClock({ startMs: SHOP_START_MS, speed, realMs }),
    decideFault: planFaults(faultSeed),
    realMs,
    source: {
      ...source,
      admit: ({ headers }) =>
        headers.authorization === `Bearer ${token}` ? undefined : refusal('unauthorized', 401),
    },
  });
}

export const refusal = (error: string, status = 400): Answer =>
  json(JSON.stringify({ error }), status);

/** Run one of the shop's APIs as a process, by its command line. */
export function runShopProcess(api: (options: ShopOptions) => Server): void {
  const { values } = parseArgs({
    options: {
      port: { type: 'string', default: '0' },
      seed: { type: 'string', default: '7' },
      changes: { type: 'string', default: '20000' },
      seconds: { type: 'string', default: '13' },
      speed: { type: 'string', default: '60' },
      token: { type: 'string', default: 'demo-token' },
    },
  });
  const server = api({
    seed: Number(values.seed),
    changes: Number(values.changes),
    seconds: Number(values.seconds),
    speed: Number(values.speed),
    token: values.token,
    realMs: () => performance.now(),
  });
  runDemoProcess(server, Number(values.port));
}
