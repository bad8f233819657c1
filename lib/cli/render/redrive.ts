/** What was sent again, and what would be. */
import { count, columns, plural } from '#cli/render/text';
import type { SendableEntry } from '#cli/redrive/choose';
import type { RedriveCounts, Redriven } from '#pipeline/redrive';

const PARTS = [
  'written',
  'stale',
  'folded',
  'refused',
  'returned',
  'unsendable',
  'gone',
  'expired',
] as const;

export interface RedriveEnded extends Omit<Redriven, 'counts'> {
  /** `expired` were left out: they arrived too long ago. */
  readonly counts: RedriveCounts & { readonly expired: number };
  /** Opened to be edited and left as they were; not among the counts. */
  readonly unchanged: number;
}

/** Lines of a plan that a terminal holds. */
const SHOWN = 50;

/** @example sumText({ found: 3, written: 2, refused: 1, … }) // '3 found = 2 written + 0 stale + …' */
export function sumText(counts: RedriveEnded['counts']): string {
  const parts = PARTS.map((part) => `${count(counts[part])} ${part}`);
  return `${count(counts.found)} found = ${parts.join(' + ')}`;
}

/** How far it is. */
export function progressLine({ found, ...parts }: RedriveCounts): string {
  const { written, stale, folded, refused } = parts;
  return `${count(written + stale + folded + refused)} of ${plural(found, 'record')} have ended, ${count(refused)} of them refused again …`;
}

export function redriveLines(
  { counts, unsendable, unchanged, stop, detail }: RedriveEnded,
  {
    consumer,
    pipeline,
    keptDays,
  }: { readonly consumer: string; readonly pipeline: string; readonly keptDays: number },
): string[] {
  const { refused, returned, expired } = counts;
  const why = detail === undefined ? '' : `: ${detail}`;
  return [
    `${consumer}: ${sumText(counts)}`,
    ...(unchanged > 0 ? [`${count(unchanged)} left unchanged, so not sent.`] : []),
    ...(stop === 'interrupted' ? ['It was interrupted: the same command goes on.'] : []),
    ...(refused > 0
      ? [
          `Refused again, and still there: \`penstock quarantine list ${pipeline} --consumer ${consumer}\``,
        ]
      : []),
    ...(returned > 0 && stop !== 'interrupted'
      ? [`${plural(returned, 'record')} did not end, and stay${why}`]
      : []),
    ...expiredLines({ expired, keptDays }),
    ...[...unsendable].slice(0, SHOWN).map(([key, reason]) => `${key} cannot be sent: ${reason}`),
  ];
}

interface LeftOut {
  readonly expired: number;
  readonly keptDays: number;
}

function expiredLines({ expired, keptDays }: LeftOut): string[] {
  if (expired === 0) return [];
  return [
    `Left out, as they arrived more than ${plural(keptDays, 'day')} ago (quarantine.keptDays): ${plural(expired, 'record')}. An old version could revive a key that was deleted since.`,
  ];
}

export function planLines(
  entries: readonly SendableEntry[],
  functionName: string,
  leftOut: LeftOut,
): string[] {
  const rest = entries.length - SHOWN;
  const rows = entries.slice(0, SHOWN).map((entry) => {
    const { shardId, sequenceNumber } = entry.position;
    const reason = entry.place.kind === 'record' ? entry.place.reason : '';
    return [entry.id, reason, shardId, sequenceNumber, `${count(entry.bytes)} bytes`];
  });
  return [
    `${plural(entries.length, 'record')} would go to ${functionName}, in this order:`,
    ...columns(rows),
    ...(rest > 0 ? [`… and ${count(rest)} more: --json has all of them.`] : []),
    ...expiredLines(leftOut),
  ];
}

export function planJson(entries: readonly SendableEntry[]): readonly object[] {
  return entries.map(({ id, key: object, position }) => ({ id, object, ...position }));
}
