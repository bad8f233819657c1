/** Rows as plain values, read from a source's own listing and from a table by ways of their own. */
import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import type { Item } from '#cli/table-reader';

/** A number is text, with the digits that it has: `#9007199254740993`. */
export type Plain = string | boolean | null | readonly Plain[] | { readonly [name: string]: Plain };

export type PlainRow = Readonly<Record<string, Plain>>;

/** JSON whose numbers keep their digits. */
export function plainOf(json: string): Plain {
  const withDigits = (_name: string, value: unknown, context?: { readonly source?: string }) =>
    typeof value === 'number' ? digits(context?.source ?? '') : value;
  return JSON.parse(json, withDigits) as Plain;
}

export interface Rows {
  /** Those that live, by key; a key is text. */
  readonly rows: ReadonlyMap<string, PlainRow>;
  /** Keys of those that are deleted. */
  readonly deleted: ReadonlySet<string>;
}

/** What a source lists; a row that holds anything at `mark` is deleted. */
export function sourceRows(listed: Plain, { key, mark }: { key: string; mark: string }): Rows {
  const rows = new Map<string, PlainRow>();
  const deleted = new Set<string>();
  for (const row of listed as readonly PlainRow[]) {
    const name = String(row[key]).replace(/^#/, '');
    if (row[mark] === null) rows.set(name, { ...row, [key]: name });
    else deleted.add(name);
  }
  return { rows, deleted };
}

/** What a table holds. */
export function tableRows(items: readonly Item[], key: string): Rows {
  const rows = new Map<string, PlainRow>();
  const deleted = new Set<string>();
  for (const item of items) {
    const name = item[key]?.S ?? '';
    if (item['_deleted']?.BOOL === true) deleted.add(name);
    else rows.set(name, recordOf(item));
  }
  return { rows, deleted };
}

/** What the table adds to a record. */
const OURS = new Set([
  '_version',
  '_observed',
  '_event_id',
  '_shape',
  '_first_seen',
  '_updated',
  '_deleted',
  '_expires',
]);

function recordOf(item: Item): PlainRow {
  const own = Object.entries(item).filter(([name]) => !OURS.has(name));
  return Object.fromEntries(own.map(([name, value]) => [name, plainValue(value)]));
}

function plainValue(value: AttributeValue): Plain {
  if (value.N !== undefined) return digits(value.N);
  if (value.L !== undefined) return value.L.map(plainValue);
  if (value.M !== undefined) {
    const members = Object.entries(value.M).map(([name, one]) => [name, plainValue(one)] as const);
    return Object.fromEntries(members);
  }
  return value.S ?? value.BOOL ?? null;
}

/** As DynamoDB writes it: without zeros at the end of a fraction. */
function digits(text: string): string {
  return `#${text.includes('.') ? text.replace(/\.?0+$/, '') : text}`;
}
