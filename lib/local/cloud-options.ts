/** What a local cloud is started with. */
import type { CloudEvent } from './cloud-event.ts';
import type { Chance, Clock, FaultPlan } from './contracts.ts';
import type { Fault } from './faults/fault.ts';
import type { InProcessHandler } from './lambda/functions/in-process-answer.ts';

export interface CloudOptions {
  /** The folder that `cdk synth` wrote, or what `app.synth()` answers. */
  readonly cdkOut?: string | { readonly directory: string };
  /** Instead of that, one stack's template; its functions have `handlers`, or their code inline. */
  readonly template?: object;
  /** Values of the templates' parameters, by logical id; the same for all stacks. Default: none. */
  readonly parameters?: Readonly<Record<string, string>>;
  /** Default: any that is free. `false`: no socket is opened, and clients have `requestHandler`. */
  readonly port?: number | false;
  /** Default: everything is in memory, and gone at the end. */
  readonly keepDir?: string;
  /** Schedules that tick as soon as their last run ended, by name; true: all of them. */
  readonly tempo?: boolean | readonly string[];
  /** True: mappings poll once a second, as on AWS, instead of being told of a write. */
  readonly faithful?: boolean;
  /** Default: the machine's. A stepped clock goes on when the cloud is told to `step`. */
  readonly clock?: Clock;
  /** The same seed gives the same ids, faults and delays. Default: none is like another. */
  readonly seed?: number | string;
  /** Instead of the seed's: what the delays of retries are drawn from. */
  readonly chance?: Chance;
  /**
   * Functions that run in this process, by the cloud's clock, instead of in their own: by name, or by
   * the id of their construct.
   */
  readonly handlers?: Readonly<Record<string, InProcessHandler>>;
  /** What goes wrong, from when the cloud runs. */
  readonly faults?: readonly Fault[] | FaultPlan;
  readonly onEvent?: (event: CloudEvent) => void;
  /** Awaited when everything is there and nothing runs yet: to put secrets, or records. */
  readonly beforeRunning?: (endpoint: string) => Promise<void>;
}
