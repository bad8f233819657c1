/** How far each consumer is behind, as a table. */
import { columns, count, shorten, span } from './text.ts';

/** Of 56 digits, those at the end tell one record from the next. */
const CHECKPOINT_WIDTH = 17;

export interface LagRow {
  readonly pipeline: string;
  readonly consumer: string;
  readonly shardId: string;
  /** The last record that is done; null before the first. */
  readonly checkpoint: string | null;
  /** Age of the oldest record not yet done; 0 when all are done. */
  readonly behindMs: number;
  /** Null when there are more than were counted. */
  readonly behindRecords: number | null;
}

export function renderLag(rows: readonly LagRow[]): string[] {
  if (rows.length === 0) return ['No shard holds anything yet.'];
  const head = ['PIPELINE', 'CONSUMER', 'SHARD', 'BEHIND', 'RECORDS', 'CHECKPOINT'];
  const cells = rows.map((row) => [
    row.pipeline,
    row.consumer,
    row.shardId,
    span(row.behindMs),
    row.behindRecords === null ? 'many' : count(row.behindRecords),
    row.checkpoint === null ? '-' : shorten(row.checkpoint, CHECKPOINT_WIDTH),
  ]);
  return columns([head, ...cells]);
}
