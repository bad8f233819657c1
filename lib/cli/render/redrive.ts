/** What was sent again, and what would be. */
import { count, columns, plural } from '#cli/render/text';
import type { SendableEntry } from '#cli/redrive/choose';
import type { RedriveCounts, Redriven } from '#pipeline/redrive';

const PARTS = ['written', 'stale', 'folded', 'refused', 'returned', 'unsendable', 'gone'] as const;

/** Lines of a plan that a terminal holds. */
const SHOWN = 50;

/** @example sumText({ found: 3, written: 2, refused: 1, … }) // '3 found = 2 written + 0 stale + …' */
export function sumText(counts: RedriveCounts): string {
  const parts = PARTS.map((part) => `${count(counts[part])} ${part}`);
  return `${count(counts.found)} found = ${parts.join(' + ')}`;
}

/** How far it is. */
export function progressLine({ found, ...parts }: RedriveCounts): string {
  const { written, stale, folded, refused } = parts;
  return `${count(written + stale + folded + refused)} of ${plural(found, 'record')} have ended, ${count(refused)} of them refused again …`;
}

export function redriveLines(
  { counts, unsendable, stop, detail }: Redriven,
  { consumer, pipeline }: { readonly consumer: string; readonly pipeline: string },
): string[] {
  const { refused, returned } = counts;
  const why = detail === undefined ? '' : `: ${detail}`;
  return [
    `${consumer}: ${sumText(counts)}`,
    ...(stop === 'interrupted' ? ['It was interrupted: the same command goes on.'] : []),
    ...(refused > 0
      ? [
          `Refused again, and still there: \`penstock quarantine list ${pipeline} --consumer ${consumer}\``,
        ]
      : []),
    ...(returned > 0 && stop !== 'interrupted'
      ? [`${plural(returned, 'record')} did not end, and stay${why}`]
      : []),
    ...[...unsendable].slice(0, SHOWN).map(([key, reason]) => `${key} cannot be sent: ${reason}`),
  ];
}

export function planLines(entries: readonly SendableEntry[], functionName: string): string[] {
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
  ];
}

export function planJson(entries: readonly SendableEntry[]): readonly object[] {
  return entries.map(({ id, key: object, position }) => ({ id, object, ...position }));
}
