/** Records as they would be published, as a table and as JSON. */
import type { Preview } from '#cli/preview/preview';
import type { PreviewRow } from '#cli/preview/preview-records';
import { troubleOf } from '#cli/source/ask-patiently';
import type { WalkEnd } from '#cli/source/walk-pages';
import { columns, count, plural, shorten } from './text.ts';
import { visible } from './visible.ts';

const KEY_WIDTH = 32;
const HEAD = ['#', 'KEY', 'PARTITION KEY', 'SHARD', 'VERSION', 'EVENT TIME', 'BYTES', 'CHANGE'];

export function renderPreview(preview: Preview): string[] {
  const { pipeline, rows, pages, shardCount, end } = preview;
  const trouble = troubleOfEnd(end);
  const shards =
    shardCount === undefined ? 'as many shards as AWS adds' : plural(shardCount, 'shard');
  return [
    ...(rows.length > 0 ? columns([HEAD, ...rows.map(cells)]) : []),
    ...refusedLines(rows),
    `${pipeline}: ${plural(rows.length, 'record')} on ${plural(pages, 'page')}${talliesOf(rows)}; ${shards}. Nothing was written.`,
    ...(trouble === undefined ? [] : [`The source failed: ${trouble}.`]),
  ];
}

function cells(row: PreviewRow, at: number): string[] {
  const number = String(at + 1);
  if (row.kind !== 'published') {
    return [
      number,
      ...HEAD.slice(2).map(() => '-'),
      row.kind === 'refused' ? `refused: ${row.reason}` : WORDS[row.kind],
    ];
  }
  const { key, partitionKey, shard, version, bytes, change, event } = row;
  return [
    number,
    ...[key, partitionKey].map((text) => shorten(visible(text), KEY_WIDTH)),
    shard === null ? '-' : String(shard),
    version,
    event.time,
    count(bytes),
    change,
  ];
}

const WORDS = {
  filtered: 'left out by the map',
  repeated: 'the same again, published once',
} as const;

/** In a line of its own each: a detail is longer than a column. */
function refusedLines(rows: readonly PreviewRow[]): string[] {
  return rows.flatMap((row, at) =>
    row.kind === 'refused' ? [`record ${at + 1} is refused (${row.reason}): ${row.detail}`] : [],
  );
}

function talliesOf(rows: readonly PreviewRow[]): string {
  const tallies = new Map<string, number>();
  for (const row of rows) {
    const kind = row.kind === 'published' ? row.change : row.kind;
    tallies.set(kind, (tallies.get(kind) ?? 0) + 1);
  }
  const words = Array.from(tallies, ([kind, many]) => `${count(many)} ${kind}`);
  return words.length === 0 ? '' : ` (${words.join(', ')})`;
}

/** Why there is no more, in one clause; undefined where that is as it should be. */
export function troubleOfEnd(end: WalkEnd): string | undefined {
  switch (end.kind) {
    case 'last-page':
    case 'enough':
      return undefined;
    case 'token-repeats':
      return 'its page token leads back to a page that was read before';
    case 'page-repeats':
      return 'it answers a page that was read before, whatever page is asked for';
    case 'no-records':
    case 'no-token':
      return end.detail;
    case 'no-page':
      return troubleOf(end.answer);
  }
}

/** One object; each event stands in it as it would in the stream, digits and all. */
export function previewJson({ pipeline, shardCount, pages, rows, end }: Preview): object {
  return {
    pipeline,
    shardCount: shardCount ?? null,
    pages,
    failure: troubleOfEnd(end) ?? null,
    records: rows.map((row) => ({ ...row })),
  };
}
