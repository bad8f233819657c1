/** Pipelines that run in a cloud, whichever it is. */
import type { Environment } from '#cli/choose-cloud';
import type { Connection } from '#cli/connection';
import type { PipelineSettings } from '#config/pipeline-settings';

export interface RunningCloud {
  /** `http://127.0.0.1:40123` */
  readonly endpoint: string;
  readonly connection: Connection;
  stop(): Promise<void>;
}

export interface PipelinesAsk {
  readonly stage: string;
  readonly pipelines: readonly PipelineSettings[];
  /** Where they were read, when that is not the project's own folder. */
  readonly pipelinesDirectory?: string | undefined;
  /** What `cdk synth` wrote; synthesized unless given. */
  readonly cdkOut?: string | undefined;
  /** Values of settings and secrets, as functions are to see them. */
  readonly env: Environment;
  /** Schedules tick again as soon as their last run ended: all of them, or the polls that people wait for. */
  readonly tempo: boolean | 'polls';
  readonly signal?: AbortSignal | undefined;
}

/** Account and region of every cloud on one's own machine. */
export const LOCAL_PLACE = { account: '000000000000', region: 'us-east-1' } as const;
