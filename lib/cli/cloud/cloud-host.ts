/** Something that runs the demo's pipelines, and is gone in the end. */
import type { Environment } from '#cli/choose-cloud';
import type { PipelinesAsk, RunningCloud } from './running-cloud.ts';

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
