/** A change of a stream's shards before, while and after it is done. */
import type { ShardStanding } from '#cli/measure-lag';
import { RESHARD_LIMITS } from '#core/capacity/plan-reshard';
import { SHARD_LIMITS } from '#core/capacity/plan-shards';
import { bytesText, count, plural, span } from './text.ts';

export interface ReshardView {
  readonly pipeline: string;
  readonly from: number;
  readonly to: number;
  /** Targets of the calls, in turn. */
  readonly steps: readonly number[];
  /** In the last 24 hours, by this command. */
  readonly callsMade: number;
  /** How many more shards the account may open. */
  readonly accountShardsFree: number;
  readonly deployment: DeploymentEdit;
}

/** What the next deployment would make of the number. */
export interface DeploymentEdit {
  readonly file: string;
  readonly dataStack: string;
  /** Shards that the file's load counts; null on demand. */
  readonly counts: number | null;
  /** What `stream.load.recordsPerSecPeak` is, and has to be; null where that cannot be said. */
  readonly peak: { readonly now: number; readonly needed: number } | null;
}

export function planLines(view: ReshardView): string[] {
  const { pipeline, from, to, steps, callsMade, accountShardsFree } = view;
  if (steps.length === 0) return [`${pipeline} has ${plural(to, 'shard')}: nothing is to be done.`];
  const left = RESHARD_LIMITS.callsMax - callsMade - steps.length;
  return [
    `${pipeline}: ${count(from)} to ${plural(to, 'shard')}, in ${plural(steps.length, 'call')} of UpdateShardCount:`,
    ...steps.map((step, at) => `  ${stepText(steps[at - 1] ?? from, step)}`),
    `After that, ${left} of the ${RESHARD_LIMITS.callsMax} calls in 24 hours are left (calls made by others are not known here), ` +
      `and ${plural(accountShardsFree - (to - from), 'shard')} in the account.`,
    'Records are taken and delivered meanwhile, each key in order: shards are closed and followed by others.',
  ];
}

function stepText(from: number, to: number): string {
  const { writeBytesPerSec, writeRecordsPerSec } = SHARD_LIMITS;
  return `${count(from)} -> ${count(to)}: takes ${bytesText(to * writeBytesPerSec)} and ${count(to * writeRecordsPerSec)} records a second`;
}

/** @example activeLine({ from: 2, to: 4, tookMs: 31_000 }) // '2 -> 4: active after 31.0 s.' */
export function activeLine(step: { from: number; to: number; tookMs: number }): string {
  return `${count(step.from)} -> ${count(step.to)}: active after ${span(step.tookMs)}.`;
}

/** What consumers still have to read of closed shards. */
export function drainLine(closed: readonly ShardStanding[]): string {
  const records = closed.reduce<number | null>(
    (sum, { behindRecords }) =>
      sum === null || behindRecords === null ? null : sum + behindRecords,
    0,
  );
  const behindMs = Math.max(...closed.map((shard) => shard.behindMs));
  const what = records === null ? 'many records' : plural(records, 'record');
  return `Draining: ${what} in ${plural(closed.length, 'closed shard')}, the oldest ${span(behindMs)} old.`;
}

/** What to edit, so that a deployment does not set the number back. */
export function deploymentLines({ to, deployment }: ReshardView): string[] {
  const { file, dataStack, counts, peak } = deployment;
  if (counts === null) {
    return [
      `${file} says on demand, and the stream is not: deploy ${dataStack}, or describe its load.`,
    ];
  }
  if (counts === to)
    return [`${file} counts ${plural(to, 'shard')} as well: a deployment leaves it so.`];
  return [
    `${file} counts ${plural(counts, 'shard')} from its load: a deployment that changes the stack's number sets it back to what the file counts.`,
    peak === null
      ? `No whole number of records a second counts ${plural(to, 'shard')}: change stream.load.headroom as well.`
      : `Edit it: stream.load.recordsPerSecPeak: ${peak.needed} (now ${peak.now}), then npx cdk deploy ${dataStack}.`,
  ];
}
