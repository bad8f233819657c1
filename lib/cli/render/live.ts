/** The demo while it runs: a block that is drawn again, or one plain line at a time. */
import { bar, columns, count, fit, plural, seconds, span } from './text.ts';

export interface ShardView {
  readonly shardId: string;
  /** Share of what the shard takes in a second: the larger of bytes and records, 0 to 1. */
  readonly fill: number;
  readonly recordsPerSec: number;
}

export interface PipelineView {
  readonly name: string;
  readonly changes: number;
  readonly changesPlanned: number;
  /** Items of the table, tombstones included. */
  readonly rows: number;
  readonly streamRecords: number;
  /** Records behind the checkpoints. */
  readonly behindRecords: number;
  /** Age of the oldest of them. */
  readonly behindMs: number;
  readonly shards: readonly ShardView[];
  readonly waits: number;
  /** Requests that the source answered with 503 or cut short. */
  readonly failures: number;
}

const BAR_WIDTH = 24;
const INDENT = '  ';

/** Draw every pipeline, then the newest notes. */
export function renderLive(
  views: readonly PipelineView[],
  { elapsedMs, notes, width }: { elapsedMs: number; notes: readonly string[]; width: number },
): string[] {
  const lines = views.flatMap((view) => [
    `${view.name}  ${plural(view.changes, 'change')} of ${count(view.changesPlanned)} at the source`,
    `${INDENT}${plural(view.rows, 'row')} in the table, ${lagText(view)}`,
    ...columns(view.shards.map(shardCells)).map((line) => `${INDENT}${line}`),
    '',
  ]);
  return [...lines, ...notes, seconds(elapsedMs)].map((line) => fit(line, width));
}

function shardCells({ shardId, fill, recordsPerSec }: ShardView): string[] {
  const percent = `${Math.round(fill * 100)} %`.padStart(5);
  return [shortShard(shardId), bar(fill, BAR_WIDTH), percent, `${count(recordsPerSec)} records/s`];
}

/** The end of a shard's name is what tells it apart. */
function shortShard(shardId: string): string {
  return `shard ${shardId.replace(/^shardId-0*(?=\d)/, '')}`;
}

function lagText({ streamRecords, behindRecords, behindMs }: PipelineView): string {
  if (streamRecords === 0) return 'nothing to consume yet';
  if (behindRecords === 0) return 'no lag';
  return `${plural(behindRecords, 'record')} behind, the oldest ${span(behindMs)} old`;
}

/** Say the same in one line a pipeline. */
export function renderPlain(view: PipelineView, elapsedMs: number): string {
  const { name, changes, rows, streamRecords } = view;
  const facts = [
    `${plural(changes, 'change')} at the source`,
    `${count(streamRecords)} in the stream`,
    `${plural(rows, 'row')} in the table`,
    lagText(view),
  ];
  return `${seconds(elapsedMs).padStart(7)}  ${name}: ${facts.join(', ')}`;
}

/** What happened at the source between two views, as sentences. */
export function notesBetween(before: PipelineView | undefined, after: PipelineView): string[] {
  const told = after.waits - (before?.waits ?? 0);
  const failed = after.failures - (before?.failures ?? 0);
  return [
    ...(told > 0 ? [`${after.name}: the source asked to wait (429), and is waited for`] : []),
    ...(failed > 0 ? [`${after.name}: the source failed, and is asked again`] : []),
  ];
}
