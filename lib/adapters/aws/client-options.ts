/** How an SDK client talks here: bounded in time, and never behind our back. */
import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import type { KinesisClientConfig } from '@aws-sdk/client-kinesis';
import { NodeHttpHandler } from '@smithy/node-http-handler';

const CONNECT_TIMEOUT_MS = 2_000;

export interface ClientLimits {
  readonly requestTimeoutMs: number;
  /** Requests in flight at once. */
  readonly concurrency: number;
  /** Default: over the network, within these limits. */
  readonly requestHandler?: KinesisClientConfig['requestHandler'];
}

/** By which a client speaks. */
export type ClientWay = Pick<ClientLimits, 'requestHandler'>;

/**
 * Options for an SDK client: one attempt, and a request that takes too long is an error.
 *
 * The SDK would send a whole request again out of sight, and so reorder it; and without
 * `throwOnRequestTimeout` its timeout only writes a warning.
 */
export function clientOptions({ requestTimeoutMs, concurrency, requestHandler }: ClientLimits) {
  if (requestHandler !== undefined) return { maxAttempts: 1, requestHandler };
  const agent = { keepAlive: true, maxSockets: concurrency };
  return {
    maxAttempts: 1,
    requestHandler: new NodeHttpHandler({
      connectionTimeout: Math.min(CONNECT_TIMEOUT_MS, requestTimeoutMs),
      requestTimeout: requestTimeoutMs,
      throwOnRequestTimeout: true,
      httpAgent: new HttpAgent(agent),
      httpsAgent: new HttpsAgent(agent),
    }),
  };
}
