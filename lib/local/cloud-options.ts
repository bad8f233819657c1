/** What a local cloud is started with. */
import type { CloudEvent } from './cloud-event.ts';
import type { Chance, Clock, FaultPlan } from './contracts.ts';

export interface CloudOptions {
  /** The folder that `cdk synth` wrote. */
  readonly cdkOut: string;
  /** Values of the templates' parameters, by logical id; the same for all stacks. */
  readonly parameters: Readonly<Record<string, string>>;
  /** Default: any that is free. */
  readonly port?: number;
  /** Default: everything is in memory, and gone at the end. */
  readonly keepDir?: string;
  /** True: a schedule ticks as soon as its last run ended. */
  readonly tempo?: boolean;
  /** True: mappings poll once a second, as on AWS, instead of being told of a write. */
  readonly faithful?: boolean;
  readonly clock?: Clock;
  readonly chance?: Chance;
  readonly faults?: FaultPlan;
  readonly onEvent?: (event: CloudEvent) => void;
  /** Awaited when everything is there and nothing runs yet: to put secrets, or records. */
  readonly beforeRunning?: (endpoint: string) => Promise<void>;
}
