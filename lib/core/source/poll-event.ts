/** What a poll says while it runs. Levels and metrics are chosen where events are written. */
import type { RefusalReason } from '#core/record/refusal';

export type PollEvent =
  /** A page is in the stream, every entry confirmed, and the cursor is saved. */
  | {
      readonly event: 'PagePublished';
      readonly pipeline: string;
      /** Records on the page: each is published, skipped, filtered or refused. */
      readonly records: number;
      readonly published: number;
      /** Already published by an earlier read of the same boundary. */
      readonly skipped: number;
      /** Left out by the pipeline's own `map`. */
      readonly filtered: number;
      readonly refused: number;
      readonly publishedBytes: number;
      readonly requests: number;
      /** Entries sent again after a refusal, a throttle or no answer. */
      readonly resent: number;
      readonly durationMs: number;
    }
  /** A source was read to its end as a whole, and the cursor is saved. */
  | {
      readonly event: 'SnapshotSettled';
      readonly pipeline: string;
      /** Keys that the snapshot showed. */
      readonly keys: number;
      /** Keys that it lacked, and that were deleted. */
      readonly removed: number;
      /** Keys that it lacked, and that stay for now. */
      readonly waiting: number;
    }
  /** Some entries of a request were not written; they are sent again first. */
  | {
      readonly event: 'PutIncomplete';
      readonly pipeline: string;
      readonly written: number;
      readonly throttled: number;
      readonly failed: number;
      readonly unknown: number;
    }
  /** A shard takes less than is sent to it: from now on it is sent no more than it takes. */
  | { readonly event: 'ShardPaced'; readonly pipeline: string; readonly shardId: string }
  /** The stream's shards could not be listed: a shard that throttles slows down the others. */
  | { readonly event: 'ShardsUnknown'; readonly pipeline: string; readonly error: string }
  | {
      readonly event: 'RecordRefused';
      readonly pipeline: string;
      readonly stage: 'poll';
      readonly reason: RefusalReason;
      readonly detail: string;
      readonly place: string;
    }
  /** The source asked for a pause that fits into this run. */
  | {
      readonly event: 'SourceWaited';
      readonly pipeline: string;
      /** Undefined where it said so beside something else, as with a page. */
      readonly status?: number;
      readonly waitMs: number;
    }
  /** A request waited for the budget of its API, which others share; what takes under a second is not told. */
  | {
      readonly event: 'BudgetWaited';
      readonly pipeline: string;
      readonly api: string;
      readonly waitMs: number;
    }
  /** The API asked for a pause, and the others that share its budget could not be told. */
  | {
      readonly event: 'BudgetNotHeld';
      readonly pipeline: string;
      readonly api: string;
      readonly error: string;
    }
  | {
      readonly event: 'SourceUnavailable';
      readonly pipeline: string;
      readonly attempt: number;
      readonly detail: string;
    }
  /** A consumer is further behind than `poll.behind` allows, and the file says to go on. */
  | {
      readonly event: 'ConsumerBehind';
      readonly pipeline: string;
      readonly consumer: string;
      readonly shardId: string;
      /** At least so old is what it has not done. */
      readonly ageMs: number;
      readonly detail: string;
    }
  /** A token was no longer accepted, rows moved, or the file changed; the run began again at its boundary. */
  | { readonly event: 'RunRestarted'; readonly pipeline: string; readonly detail: string }
  /** The source no longer takes the token: everything is read, and published, anew. */
  | { readonly event: 'ResyncStarted'; readonly pipeline: string; readonly detail: string }
  /** Such a read has come to its end. Records that are gone at the source are still in the table. */
  | { readonly event: 'ResyncEnded'; readonly pipeline: string; readonly durationMs: number }
  | PollEnded;

/** The last word of every poll, whatever its outcome. */
export interface PollEnded {
  readonly event: 'PollEnded';
  readonly pipeline: string;
  readonly outcome:
    | 'caught-up'
    | 'out-of-time'
    | 'parked'
    | 'paused'
    | 'held-back'
    | 'lease-held'
    | 'lease-lost'
    | 'failed';
  /** One sentence; empty when there is nothing to add. */
  readonly detail: string;
  readonly pages: number;
  readonly records: number;
  readonly published: number;
  readonly refused: number;
  /** Records handed to the publisher; each of them is confirmed or returned. */
  readonly accepted: number;
  readonly confirmed: number;
  /** Not confirmed when the poll ended: the next publishes them again. */
  readonly returned: number;
  readonly durationMs: number;
  /** Polls in a row that have failed, this one with them where it did; undefined when none did. */
  readonly failures?: number;
  /** The boundary as saved; undefined before the first finished run. */
  readonly boundary?: string;
  /** The source's clock less the boundary: how much of the past the next run reads again. */
  readonly behindMs?: number;
}

/** Whether something new was seen, or that there is nothing new. Without a page there is neither. */
export function isSuccess({ outcome, pages }: Pick<PollEnded, 'outcome' | 'pages'>): boolean {
  return outcome === 'caught-up' || (outcome === 'out-of-time' && pages > 0);
}
