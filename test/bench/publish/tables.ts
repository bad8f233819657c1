/** What was measured, as Markdown. */
import { exponentOf } from './growth.ts';
import type { GrownTo } from './growth.ts';
import type { Measured, Middle } from './measure.ts';

export function tableOf(
  title: string,
  measured: readonly Measured[],
  asked: readonly Asked[] = [],
): string {
  const rows = measured.map(({ name, perSec, ofFirst, cpuUs, cpuOfFirst, seen }) => [
    name,
    String(Math.round(perSec.median)),
    `${perSec.lowest.toFixed(0)}–${perSec.highest.toFixed(0)}`,
    `${spread(ofFirst)} ×`,
    cpuUs.median.toFixed(1),
    `${spread(cpuOfFirst)} ×`,
    seen === undefined ? '' : String(seen.requests),
    seen === undefined ? '' : String(Math.round(seen.bytes / seen.records)),
    seen === undefined ? '' : `${seen.late} / ${seen.stale} / ${seen.doubled}`,
  ]);
  return markdown(title, HEAD, rows, asked);
}

const HEAD = [
  'sender',
  'records/s',
  'lowest–highest',
  'of the first',
  'CPU µs a record',
  'of the first',
  'requests',
  'bytes a record',
  'late / stale / doubled',
];

/** What was asked for, and whether it holds. */
export interface Asked {
  readonly what: string;
  readonly value: number;
  readonly atMost?: number;
  readonly atLeast?: number;
}

export function growthTable(
  title: string,
  grown: readonly GrownTo[],
  asked: readonly Asked[],
): string {
  const rows = grown.map(({ count, ms, rssMb }) => [
    count.toLocaleString('en'),
    `${(ms.median / 1_000).toFixed(2)} s`,
    String(Math.round((count * 1_000) / ms.median)),
    `${rssMb.median.toFixed(0)} MB`,
  ]);
  const head = ['records', 'time', 'records/s', 'memory at most'];
  return markdown(title, head, rows, asked);
}

export function growthAsked(grown: readonly GrownTo[]): readonly Asked[] {
  const memory = grown.map(({ rssMb }) => rssMb.median);
  const mean = memory.reduce((sum, mb) => sum + mb, 0) / memory.length;
  const furthest = Math.max(...memory.map((mb) => Math.abs(mb / mean - 1)));
  return [
    { what: 'time grows with the records to the power of', value: exponentOf(grown), atMost: 1.05 },
    { what: 'memory is off its mean by a share of', value: furthest, atMost: 0.1 },
  ];
}

function markdown(
  title: string,
  head: readonly string[],
  rows: readonly (readonly string[])[],
  asked: readonly Asked[],
): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [
    `\n### ${title}\n`,
    line(head),
    line(head.map((_, at) => (at === 0 ? '---' : '--:'))),
    ...rows.map(line),
    ...(asked.length === 0 ? [] : ['', ...asked.map(askedText)]),
  ].join('\n');
}

function askedText({ what, value, atMost = Infinity, atLeast = -Infinity }: Asked): string {
  const bound = atMost === Infinity ? `≥ ${atLeast}` : `≤ ${atMost}`;
  const verdict = value <= atMost && value >= atLeast ? 'holds' : '**does not hold**';
  return `- ${what}: ${value.toFixed(2)}, asked for ${bound}: ${verdict}`;
}

function spread({ median, lowest, highest }: Middle): string {
  return `${median.toFixed(2)} (${lowest.toFixed(2)}–${highest.toFixed(2)})`;
}
