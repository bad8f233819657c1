/** How a pipeline stands, as far as its own places tell. */
import type { PipelineSettings } from '#config/pipeline-settings';
import type { Failing } from '#core/source/failing';
import type { OpenBreaker } from '#ports/breaker-store';
import type { Pause } from '#ports/poll-state';

export interface StandingAsk {
  readonly stage: string;
  readonly pipeline: PipelineSettings;
  /** What a command must say to reach the same stage of the same cloud. */
  readonly where: readonly string[];
}

export interface SourceStanding {
  /** When a poll last took something over, an empty page included; null before the first time. */
  readonly savedAtMs: number | null;
  /** Everything that the source showed then is in the stream. */
  readonly caughtUp: boolean;
  /** When a poll last ended well; null before the first time. */
  readonly succeededAtMs: number | null;
  /** When the last poll ended that asked the source; null before the first, as below. */
  readonly endedAtMs: number | null;
  /** How it ended, as `caught-up` or `failed`. */
  readonly outcome: string | null;
  /** One sentence on that; null when there is nothing to add. */
  readonly detail: string | null;
  /** Polls should have succeeded since, and nothing says that they are to wait. */
  readonly stale: boolean;
  /** Age of the oldest change that may be missing in the stream; null when nothing is known. */
  readonly behindMs: number | null;
  /** The source asked to be left alone until then; null when it did not, or that is over. */
  readonly parkedUntilMs: number | null;
  /** Null where the last poll that asked did not fail. */
  readonly failing: Failing | null;
  readonly paused: Pause | null;
  /** The last poll read nothing, as a consumer is too far behind; `detail` says which. */
  readonly heldBack: boolean;
}

export interface ConsumerStanding {
  readonly name: string;
  /** Age of the oldest record not yet done, of all shards. */
  readonly behindMs: number;
  /** Null when there are more than were counted. */
  readonly behindRecords: number | null;
  /** Why it stands still; null while it does not. */
  readonly stopped: OpenBreaker | null;
}

export interface BackfillStanding {
  readonly fromMs: number;
  readonly toMs: number;
  readonly slices: number;
  readonly done: number;
  /** Somebody works at it. */
  readonly atWork: boolean;
  /** What goes on with it. */
  readonly resumeWith: string;
}

export interface PipelineStanding {
  readonly pipeline: string;
  /** False when nothing of it is in its stage: then nothing was read. */
  readonly deployed: boolean;
  /** What could not be read, one sentence each. */
  readonly faults: readonly string[];
  /** Null where it could not be read, as below. */
  readonly source: SourceStanding | null;
  readonly consumers: readonly ConsumerStanding[] | null;
  /** One that is not over; null where there is none. */
  readonly backfill: BackfillStanding | null;
  readonly quarantined: { readonly objects: number; readonly more: boolean } | null;
}
