/** What the doctor says of a source, and what it says it by. */
import type { Exchange } from '#adapters/http/page-source';
import type { PreviewRow } from '#cli/preview/preview-records';
import type { Walk } from '#cli/source/walk-pages';
import type { PipelineSettings } from '#config/pipeline-settings';
import type { JsonObject, JsonValue } from '#core/record/json';
import type { Timestamp } from '#core/record/timestamp';
import type { PollOptions } from '#pipeline/poll-options';

/** The worst first. */
export const SEVERITIES = ['error', 'warning', 'note'] as const;

export interface Finding {
  /** `error`: records are lost or nothing is polled; `warning`: it costs; `note`: good to know. */
  readonly severity: (typeof SEVERITIES)[number];
  /** What was found, in one word: `key-repeats`. */
  readonly check: string;
  /** Where to change it in the pipeline file; null when it is not there. */
  readonly field: string | null;
  /** What was found, and what helps. */
  readonly sentence: string;
}

/** Everything that was seen of a source. */
export interface Observed {
  readonly settings: PipelineSettings;
  readonly options: PollOptions;
  readonly exchanges: readonly Exchange[];
  /** From the source's beginning. */
  readonly walk: Walk;
  /** What was heard of its last request; undefined where that never left, or was not answered in time. */
  readonly last: Exchange | undefined;
  readonly records: readonly RecordSeen[];
  /** A page that no run asks for, where one could tell more: its place, and what stands there. */
  readonly beside?: { readonly token: string; readonly walk: Walk } | undefined;
  /** Undefined where no two times were seen. */
  readonly probe?: Probe | undefined;
  /** Undefined where the file has no such feed. */
  readonly deletes?: DeletesSeen | undefined;
}

/** The first page of the feed of deletes. */
export interface DeletesSeen {
  readonly walk: Walk;
  readonly rows: readonly PreviewRow[];
  /** How many rows hold no time where the feed's boundary is read. */
  readonly timeless: number;
}

export interface RecordSeen {
  /** Which page it stands on, from 0. */
  readonly page: number;
  readonly raw: JsonValue;
  readonly row: PreviewRow;
  /** As the map leaves it; undefined where that is not known. */
  readonly data: JsonObject | undefined;
  /** By which the source filters. */
  readonly time: Timestamp | undefined;
}

/** A run from a boundary at which there is a record. */
export interface Probe {
  readonly at: Timestamp;
  readonly walk: Walk;
  readonly times: readonly Timestamp[];
  /**
   * `nothing`: with no boundary does the source answer a record. `moved`: what stood at the boundary
   * does so no more, or nobody can say.
   */
  readonly atBoundary: 'answered' | 'left-out' | 'left-out-as-text' | 'nothing' | 'moved';
}

/** Judges one thing; pure. */
export type Check = (seen: Observed) => readonly Finding[];

/** @example share(2, 50); // '2 of 50 records' */
export function share(some: number, all: number): string {
  return `${some} of ${all} record${all === 1 ? '' : 's'}`;
}
