/** What one poll is told, and what it works with. */
import type { RequestLimits } from '#core/batch/request-limits';
import type { RecordRules } from '#core/record/to-event';
import type { SourceQuery } from '#core/source/page-query';
import type { RecordsPlace } from '#core/source/page-records';
import type { CheckpointReader } from '#ports/checkpoint-store';
import type { Chance } from '#ports/chance';
import type { Clock } from '#ports/clock';
import type { Digest } from '#ports/digest';
import type { FeedStates } from '#ports/feed-states';
import type { Ledgers } from '#ports/ledgers';
import type { PageSource } from '#ports/page-source';
import type { Pause, PollStateStore } from '#ports/poll-state';
import type { Quarantine } from '#ports/quarantine';
import type { Report } from '#ports/report';
import type { StreamWriter } from '#ports/stream-writer';
import type { BehindOptions, HeldBack } from './backpressure.ts';
import type { Pacer } from './pacer.ts';
import type { RateGate } from './rate-gate.ts';

export interface PollOptions {
  readonly pipeline: string;
  readonly source: SourceQuery;
  readonly records: RecordsPlace;
  readonly rules: RecordRules;
  /** Given where every run reads the source as a whole. */
  readonly snapshot?: SnapshotOptions | undefined;
  /** Given where a source that is asked by token is read as a whole to remove what is gone. */
  readonly orphans?: OrphanOptions | undefined;
  /** A second feed, whose every row is a delete. */
  readonly deletes?: FeedOptions | undefined;
  readonly recordBytesMax: number;
  readonly requestLimits?: RequestLimits;
  /** Requests to the stream at once. */
  readonly requestsInFlight: number;
  /** How long the source may take to answer one request. */
  readonly sourceTimeoutMs: number;
  /** How long the stream may take to answer one request: the writer's own timeout. */
  readonly putTimeoutMs: number;
  readonly leaseMs: number;
  /** Between two ticks of the schedule; a minute unless given. */
  readonly everyMs?: number | undefined;
  /** Where the time that is read ends, in ms since the epoch; with now unless given. */
  readonly untilMs?: number;
  /** What a backfill publishes gives way to what live polls publish. */
  readonly passage?: 'backfill';
  /** When consumers are too far behind; nobody looks unless given. */
  readonly behind?: BehindOptions | undefined;
}

export type FeedOptions = Pick<PollOptions, 'source' | 'records' | 'rules'>;

export interface SnapshotOptions {
  /** Whether a run begins only if its first answer has changed. */
  readonly conditional: boolean;
  /** Share of the known keys, 0 to 1, that one snapshot may lack; undefined: none is ever removed. */
  readonly shareMax: number | undefined;
}

export interface OrphanOptions {
  /** Share of the known keys, 0 to 1, that one full read may lack. */
  readonly shareMax: number;
  /** How many keys are known at most. */
  readonly keysMax: number;
  /** After so many pages that were published a run's end writes a new ledger. */
  readonly partsMax: number;
}

export interface PollWorld {
  readonly source: PageSource;
  /** Undefined where requests to the source have no budget. */
  readonly gate?: RateGate;
  readonly writer: StreamWriter;
  readonly pacer?: Pacer;
  readonly states: PollStateStore;
  readonly quarantine: Quarantine;
  /** Where consumers say how far they are: needed with `behind`. */
  readonly checkpoints?: CheckpointReader;
  /** Needed where `options.snapshot` or `options.orphans` is given. */
  readonly ledgers?: Ledgers | undefined;
  /** Needed where `options.deletes` is given. */
  readonly deletes?: { readonly source: PageSource; readonly states: FeedStates } | undefined;
  readonly clock: Clock;
  readonly chance: Chance;
  readonly digest: Digest;
  readonly report: Report;
  /** How long this run may still take. */
  readonly remainingMs: () => number;
  /** Somebody asks for this poll: a source that is parked for its failures is asked all the same. */
  readonly isByHand?: boolean;
  /** No page is begun once it aborts; the one under way is published and saved. */
  readonly signal?: AbortSignal;
  /** Numbers what is seen, where one lease outlasts many polls; else each poll counts from one. */
  readonly count?: () => number;
  /** What others published and consumers may have to come to, as `encodeMarks` wrote it. */
  readonly sentByOthers?: () => Promise<string | undefined>;
}

export interface PollTally {
  readonly pages: number;
  readonly records: number;
  readonly published: number;
  readonly skipped: number;
  readonly filtered: number;
  readonly refused: number;
}

export type PollOutcome =
  | { readonly kind: 'caught-up' }
  /** The run goes on at the next tick. */
  | { readonly kind: 'out-of-time' }
  /** The source asked for more time than this run has: in this run if there is a detail, or before. */
  | { readonly kind: 'parked'; readonly notBeforeMs: number; readonly detail?: string }
  | { readonly kind: 'lease-held'; readonly untilMs: number }
  | { readonly kind: 'lease-lost' }
  /** An operator paused the pipeline: nothing was asked of the source. */
  | ({ readonly kind: 'paused' } & Pause)
  /** Consumers are too far behind: no page was read since that was seen. */
  | HeldBack
  | { readonly kind: 'failed'; readonly detail: string };
