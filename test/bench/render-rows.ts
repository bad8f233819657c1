import type { Row } from './row.ts';

/** Rows as a table of Markdown, each with its verdict. */
export function renderRows(rows: readonly Row[]): string {
  const cells = rows.map(({ what, unit, value, bound }) => {
    const digits = Math.min(value, bound) < 10 ? 2 : 0;
    const verdict = value <= bound ? 'holds' : 'BROKEN';
    return `| ${what} | ${value.toFixed(digits)} ${unit} | ≤ ${Number(bound.toFixed(2))} ${unit} | ${verdict} |`;
  });
  return ['| what | measured | bound | |', '|---|--:|--:|---|', ...cells].join('\n');
}
