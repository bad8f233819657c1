/** An event source mapping: the shards of one stream, in batches, to one function. */
import type {
  Chance,
  Clock,
  FaultPlan,
  Invoker,
  KinesisLog,
  NewId,
  ObjectStore,
  QueueStore,
  Storage,
} from '#local/contracts';
import { lanePlaces } from './lane-places.ts';
import type { MappingEvent } from './mapping-event.ts';
import type { MappingSession } from './mapping-session.ts';
import { openSession } from './mapping-session.ts';
import type { MappingSettings } from './mapping-settings.ts';
import type { RetryPace } from './retry-delay.ts';

export interface MappingDeps {
  /** Names the mapping; the same id finds its places again, over restarts and changes. */
  readonly uuid: string;
  readonly log: KinesisLog;
  readonly invoker: Invoker;
  readonly objects: ObjectStore;
  readonly queues: QueueStore;
  readonly storage: Storage;
  readonly clock: Clock;
  readonly chance: Chance;
  readonly newId?: NewId | undefined;
  readonly region: string;
  readonly functionArn: string;
  /** The function's role, as `invokeIdentityArn` of each record. */
  readonly roleArn: string;
  onEvent?(event: MappingEvent): void;
  readonly faults?: Pick<FaultPlan, 'onBatch'>;
  /** Poll once a second as AWS does, instead of being told of writes. */
  readonly isFaithful?: boolean;
  readonly pace?: RetryPace;
  /** Smaller than AWS's in tests. */
  readonly payloadBytesMax?: number;
}

export interface KinesisMapping {
  readonly uuid: string;
  /** Begins to read, unless the mapping is disabled. */
  start(): void;
  /** Stops where it is, waiting for invocations under way; what they finish is kept. */
  stop(): Promise<void>;
  /** Sets Enabled: false stops as `stop` does, true resumes from the saved places. */
  setEnabled(isEnabled: boolean): Promise<void>;
  /** True when everything written so far was finished or given up. */
  isIdle(): boolean;
}

/** Makes a mapping that rests until it is started. */
export function createKinesisMapping(settings: MappingSettings, deps: MappingDeps): KinesisMapping {
  const places = lanePlaces(deps.storage, deps.uuid);
  let session: MappingSession | undefined;
  let restarting: Promise<void> | undefined;

  const start = (): void => {
    session ??= openSession(settings, deps, { places, onReplaced });
  };
  const stop = async (): Promise<void> => {
    const ending = session;
    session = undefined;
    await Promise.all([ending?.stop(), restarting]);
  };
  /** The stream was deleted and made again: what was known of the old one says nothing of the new. */
  function onReplaced(): void {
    const ending = session;
    restarting = ending?.stop().then(() => {
      restarting = undefined;
      if (session !== ending) return;
      session = undefined;
      start();
    });
  }

  return {
    uuid: deps.uuid,
    start() {
      if (settings.isEnabled) start();
    },
    stop,
    async setEnabled(isEnabled) {
      if (isEnabled) start();
      else await stop();
    },
    isIdle: () => session === undefined || (restarting === undefined && session.isIdle()),
  };
}
