/** What a consumer says while it runs. Levels and metrics are chosen where events are written. */
import type { RefusalReason } from '#core/record/refusal';

export type ConsumeEvent =
  | BatchConsumed
  /** The record rests in quarantine with its payload; the shard moves on. */
  | {
      readonly event: 'RecordRefused';
      readonly pipeline: string;
      /** The consumer's name. */
      readonly stage: string;
      readonly reason: RefusalReason;
      readonly detail: string;
      /** Shard and sequence number. */
      readonly place: string;
    }
  /** A write, or a way into quarantine, failed; what waits for it comes again. */
  | {
      readonly event: 'WriteFailed';
      readonly pipeline: string;
      readonly consumer: string;
      readonly into: 'table' | 'handler' | 'quarantine';
      readonly shardId: string;
      /** The lowest sequence number that waits for it. */
      readonly sequenceNumber: string;
      readonly records: number;
      readonly retryable: boolean;
      readonly error: string;
    }
  /** The table throttles: fewer keys are written at once for a while. */
  | {
      readonly event: 'TableSlowed';
      readonly pipeline: string;
      readonly consumer: string;
      /** Keys written at once, at most, from now on. */
      readonly keysMax: number;
      readonly keysMaxBefore: number;
    }
  /** Too many records are refused for one reason: from now on they wait in the stream. */
  | {
      readonly event: 'BreakerOpened';
      readonly pipeline: string;
      readonly consumer: string;
      readonly reason: RefusalReason;
      readonly refused: number;
      /** The recent records that the refused are a part of. */
      readonly received: number;
    }
  /** Other code has been deployed since: it begins anew. */
  | {
      readonly event: 'BreakerClosed';
      readonly pipeline: string;
      readonly consumer: string;
      readonly openMs: number;
    }
  /** The batch stands; its place is saved with the next one. */
  | {
      readonly event: 'CheckpointFailed';
      readonly pipeline: string;
      readonly consumer: string;
      readonly shardId: string;
      readonly error: string;
    };

/**
 * The last word of every invocation that completes.
 *
 * Conservation: received = written + stale + folded + refused + returned.
 */
export interface BatchConsumed {
  readonly event: 'BatchConsumed';
  readonly pipeline: string;
  readonly consumer: string;
  readonly shardId: string;
  /** `stream`: in its turn. The others come out of turn, beside what the shard delivers. */
  readonly passage: 'stream' | 'replay' | 'redrive';
  readonly received: number;
  readonly receivedBytes: number;
  readonly keys: number;
  readonly written: number;
  /** The table held an equal or newer version already. */
  readonly stale: number;
  /** A newer version of the same key came in the same batch. */
  readonly folded: number;
  readonly refused: number;
  /** Not finished: they come again. */
  readonly returned: number;
  /** Where the shard resumes, when anything is returned. */
  readonly resumeAt?: string;
  /** True: the breaker is open, and records of the batch wait for it. */
  readonly held: boolean;
  /** True: the time ran out before every key was begun. */
  readonly outOfTime: boolean;
  /** From the arrival of the batch's last record to the start of the invocation. */
  readonly iteratorAgeMs: number;
  readonly durationMs: number;
}
