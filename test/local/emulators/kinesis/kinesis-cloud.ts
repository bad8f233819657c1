/** A Kinesis on loopback, with a clock that tests move and the real client to ask it. */
import { Kinesis as KinesisClient } from '@aws-sdk/client-kinesis';
import { NodeHttpHandler } from '@smithy/node-http-handler';
import type { Clock, FaultPlan, Storage } from '#local/contracts';
import { createKinesis } from '#local/emulators/kinesis/kinesis';
import type { Kinesis } from '#local/emulators/kinesis/kinesis';
import type { KinesisLimits } from '#local/emulators/kinesis/state';
import type { Measure } from '#local/metrics/measurement';
import { openStorage } from '#local/storage';
import { openWire } from '#local/wire';

export interface TestKinesis {
  readonly client: KinesisClient;
  readonly kinesis: Kinesis;
  readonly url: string;
  readonly clock: { nowMs: number };
  /** Asks without the SDK, which would not send what the API does not know. */
  raw(
    operation: string,
    input: object,
  ): Promise<{ readonly status: number; readonly answer: unknown }>;
  close(): Promise<void>;
}

export const START_MS = Date.UTC(2026, 10, 2, 8, 0, 0);

export async function openTestKinesis(
  options: {
    faults?: FaultPlan;
    storage?: Storage;
    limits?: Partial<KinesisLimits>;
    nowMs?: number;
    measure?: Measure;
  } = {},
): Promise<TestKinesis> {
  const clock = { nowMs: options.nowMs ?? START_MS };
  const hand: Clock = { nowMs: () => clock.nowMs, setTimer: () => () => undefined };
  const { storage = openStorage(), faults = {}, limits = {}, measure } = options;
  const kinesis = createKinesis({
    storage,
    clock: hand,
    faults,
    limits: { settleMs: 0, callRateFactor: Infinity, ...limits },
    ...(measure === undefined ? {} : { measure }),
    region: 'eu-west-1',
    accountId: '123456789012',
  });
  const wire = await openWire({ targets: { [kinesis.target]: kinesis }, paths: [] });
  const client = new KinesisClient({
    endpoint: wire.url,
    region: 'eu-west-1',
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
    maxAttempts: 1,
    requestHandler: new NodeHttpHandler(),
  });
  return {
    client,
    kinesis,
    url: wire.url,
    clock,
    async raw(operation, input) {
      const answer = await fetch(wire.url, {
        method: 'POST',
        headers: { 'x-amz-target': `${kinesis.target}.${operation}` },
        body: JSON.stringify(input),
      });
      return { status: answer.status, answer: await answer.json() };
    },
    async close() {
      client.destroy();
      await wire.close();
    },
  };
}

export const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
export const text = (data: Uint8Array | undefined): string => new TextDecoder().decode(data);

export const shardId = (index: number): string => `shardId-${String(index).padStart(12, '0')}`;
export const RING = 2n ** 128n;
