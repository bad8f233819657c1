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
  readonly records: readonly RecordSeen[];
  /** Undefined where no two times were seen. */
  readonly probe: Probe | undefined;
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
  /** `moved`: what stood at the boundary does so no more, or nobody can say. */
  readonly atBoundary: 'answered' | 'left-out' | 'moved';
}

/** Judges one thing; pure. */
export type Check = (seen: Observed) => readonly Finding[];

/** @example share(2, 50); // '2 of 50 records' */
export function share(some: number, all: number): string {
  return `${some} of ${all} record${all === 1 ? '' : 's'}`;
}
