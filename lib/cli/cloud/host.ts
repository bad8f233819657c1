/** What the demo's pipelines run in: this process, or a LocalStack that is started for them. */
import { startPipelines } from './start.ts';
import type { PipelinesAsk, RunningCloud } from './running-cloud.ts';
import { LOCAL_CREDENTIALS } from '#cli/connection';
import type { Environment } from '#cli/connection';

export const CLOUD_NAMES = ['embedded', 'localstack'] as const;
export type CloudName = (typeof CLOUD_NAMES)[number];

export interface HostAsk {
  readonly env: Environment;
  /** Where the cloud answers on loopback; a free port unless given. */
  readonly port: number | undefined;
  onStep(sentence: string): void;
}

export interface CloudHost {
  /** Bring the pipelines up. @param settings the sources, by addresses that functions can reach. */
  up(ask: PipelinesAsk): Promise<RunningCloud>;
  /** The address of a server on this machine's loopback, as functions see it. */
  reach(url: string): Promise<string>;
  /** Rejects with one sentence when the host ends by itself. */
  readonly died: Promise<never>;
  /** The host's own end, where that is what an error comes from; else the error. */
  causeOf(found: unknown): Promise<unknown>;
  /** Variables with which a shell speaks to the cloud that answers there. */
  variables(endpoint: string): Readonly<Record<string, string>>;
  /** Ends when nothing is left of it. */
  close(): Promise<void>;
}

/** Open one. @throws {Error} with one sentence when it cannot start; then nothing is left of it. */
export async function openHost(name: CloudName, ask: HostAsk): Promise<CloudHost> {
  if (name === 'embedded') return embeddedHost(ask);
  // Loading what speaks to Docker takes half a second: only who asks for it waits for it.
  const { localstackHost } = await import('./localstack-host.ts');
  return localstackHost(ask);
}

function embeddedHost({ port }: HostAsk): CloudHost {
  return {
    up: (ask) => startPipelines({ ...ask, ...(port === undefined ? {} : { port }) }),
    reach: (url) => Promise.resolve(url),
    died: new Promise(() => undefined),
    causeOf: (found) => Promise.resolve(found),
    variables: (endpoint) => ({ AWS_ENDPOINT_URL: endpoint, ...LOCAL_CREDENTIALS }),
    close: () => Promise.resolve(),
  };
}
