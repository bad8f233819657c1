/** A cloud that the whole app runs in. Every test of the whole asks the same of each. */
import type { Connection } from '#cli/connection';
import type { CloudName } from './capabilities.ts';

export interface AppAsk {
  /** The text of the one pipeline file, or of each. */
  readonly pipeline: string | readonly string[];
  /** Settings and secrets of the pipeline; a URL of this machine is lent to the cloud. */
  readonly env: Readonly<Record<string, string>>;
  /** Variables that a function is given beside those of the template, by the end of its name. */
  readonly functionEnv?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** Poll only when the schedule fires. */
  readonly scheduleOnly?: boolean;
}

/** An app that runs; it is stopped when the test is over. */
export interface Deployment {
  readonly stage: string;
  readonly endpoint: string;
  readonly connection: Connection;
  /** What was synthesized and deployed. */
  readonly cdkOut: string;
}

export interface Cloud {
  readonly name: CloudName;
  deploy(ask: AppAsk): Promise<Deployment>;
  /** Lend a server of this process; answers its address as functions see it. */
  reach(url: string): Promise<string>;
  /** Where the cloud itself answers, when it is up before anything is deployed. */
  readonly endpoint: string | undefined;
}
