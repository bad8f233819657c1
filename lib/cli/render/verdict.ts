/** A reconciliation for a person, and for a program. */
import type { Verdict } from '#cli/reconcile/judge';
import { columns, count, plural, seconds } from './text.ts';

export interface Reconciliation {
  readonly pipelines: Readonly<Record<string, Verdict>>;
  /** From the command's start to the first row in a table. */
  readonly firstRowMs: number | undefined;
  readonly totalMs: number;
  readonly peakRssBytes: number;
}

const MIB = 1_048_576;

/** Whether every promise holds for every pipeline. */
export function holds({ pipelines }: Reconciliation): boolean {
  const verdicts = Object.values(pipelines);
  return verdicts.length > 0 && verdicts.every(({ complaints }) => complaints.length === 0);
}

export function renderReconciliation(found: Reconciliation): string[] {
  const sections = Object.entries(found.pipelines).flatMap(([name, verdict]) => [
    name,
    ...columns(factsOf(verdict)).map((line) => `  ${line}`),
    ...verdict.complaints.map((complaint) => `  WRONG: ${complaint}`),
    '',
  ]);
  const conclusion = holds(found)
    ? 'Every table holds what its source holds.'
    : 'A table does not hold what its source holds.';
  const first =
    found.firstRowMs === undefined
      ? 'no row landed'
      : `first row after ${seconds(found.firstRowMs)}`;
  const peakMiB = count(Math.round(found.peakRssBytes / MIB));
  const peak = `${peakMiB} MiB at most in the main process`;
  return [...sections, conclusion, `${first}, ${seconds(found.totalMs)} in all, ${peak}`];
}

function factsOf(verdict: Verdict): string[][] {
  const { sourceRows, sourceDeleted, tableRows, tombstones, quarantined } = verdict;
  const rows = sourceRows + sourceDeleted;
  const reasons = Object.entries(quarantined);
  const refused = reasons.reduce((sum, [, some]) => sum + some, 0);
  const why = reasons.map(([reason, some]) => `${reason} ${some}`).join(', ');
  return [
    ['source', `${plural(sourceRows, 'row')}, ${count(sourceDeleted)} deleted`],
    ['table', `${plural(tableRows, 'row')}, ${plural(tombstones, 'tombstone')}`],
    ['equal', `${count(verdict.same)} of ${count(rows)}, in version and content`],
    ['lost', count(verdict.lost.length)],
    ['reordered', count(verdict.reordered.length)],
    ['stale wins', count(verdict.different.length)],
    [
      'delivered twice',
      `${count(verdict.deliveredTwice)} of ${plural(verdict.streamRecords, 'record')} in the stream`,
    ],
    ['quarantined', why === '' ? '0' : `${count(refused)} (${why})`],
  ];
}

/** The same as plain data: counts where the verdict names keys, and up to ten of the keys. */
export function reconciliationJson(found: Reconciliation): object {
  const pipelines = Object.fromEntries(
    Object.entries(found.pipelines).map(([name, verdict]) => [name, verdictJson(verdict)]),
  );
  const { firstRowMs = null, totalMs, peakRssBytes } = found;
  return { holds: holds(found), pipelines, firstRowMs, totalMs, peakRssBytes };
}

function verdictJson({ lost, different, unknown, reordered, ...facts }: Verdict): object {
  const sample = (keys: readonly string[]) => ({ count: keys.length, keys: keys.slice(0, 10) });
  return {
    ...facts,
    lost: sample(lost),
    different: sample(different),
    unknown: sample(unknown),
    reordered: sample(reordered),
  };
}
