/** What a consumer is told, and what it works with. */
import type { BreakerRule } from '#core/breaker/refusal-share';
import type { BreakerStore } from '#ports/breaker-store';
import type { CheckpointStore } from '#ports/checkpoint-store';
import type { Clock } from '#ports/clock';
import type { Quarantine } from '#ports/quarantine';
import type { Report } from '#ports/report';
import type { Sink } from '#ports/sink';

export interface ConsumeOptions {
  readonly pipeline: string;
  readonly consumer: string;
  /** Keys in flight at once; as many ways into quarantine beside them. */
  readonly concurrency: number;
  /** Batches of the shard that may run at once; above 1 no frontier can be known. */
  readonly batchesPerShard: number;
  readonly breaker: BreakerRule;
  /** Names this code: what other code found wrong does not stop it. */
  readonly code: string;
}

export interface ConsumePorts {
  readonly sink: Sink;
  readonly quarantine: Quarantine;
  readonly checkpoints: CheckpointStore;
  readonly marks: BreakerStore;
  readonly report: Report;
  readonly clock: Clock;
  /** Strict UTF-8; throws where the bytes are none. */
  readonly decodeText: (bytes: Uint8Array) => string;
}
