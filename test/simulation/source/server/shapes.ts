import type { Row } from './row.ts';

/** Where an answer holds its rows, and how it is written. Another is one more entry. */
export interface AnswerShape {
  readonly name: string;
  /** In the pipeline file. */
  readonly records: string | object;
  /** There is room for members beside the rows. */
  readonly hasMembers: boolean;
  /** A row's key is its name in the answer: each stands there once, and is a text. */
  readonly isKeyed: boolean;
  write(rows: readonly Row[], members: Readonly<Record<string, string>>): string;
  /** An answer that asks for time, with status 200. */
  readonly errorText: string;
  /** Rows in another shape than was agreed. */
  readonly strangeText: string;
}

const ERROR = '{"error":{"code":"SLOW_DOWN"}}';

export const SHAPES: readonly AnswerShape[] = [
  {
    name: 'an array',
    records: 'items',
    hasMembers: true,
    isKeyed: false,
    write: (rows, members) => objectOf({ items: arrayOf(rows), ...members }),
    errorText: ERROR,
    strangeText: '{"items":{"a":1},"data":[],"by":[1]}',
  },
  {
    name: 'an array, deeper',
    records: 'data.rows',
    hasMembers: true,
    isKeyed: false,
    write: (rows, members) => objectOf({ ...members, data: `{"rows":${arrayOf(rows)}}` }),
    errorText: ERROR,
    strangeText: '{"items":{"a":1},"data":[],"by":[1]}',
  },
  {
    name: 'the array alone',
    records: '',
    hasMembers: false,
    isKeyed: false,
    write: arrayOf,
    errorText: ERROR,
    strangeText: '{"items":{"a":1},"data":[],"by":[1]}',
  },
  {
    name: 'rows by their names',
    records: { path: 'by', keyedBy: 'id' },
    hasMembers: true,
    isKeyed: true,
    write: (rows, members) => objectOf({ ...members, by: keyedOf(rows) }),
    errorText: ERROR,
    strangeText: '{"items":{"a":1},"data":[],"by":[1]}',
  },
  {
    name: 'lines',
    records: { lines: true },
    hasMembers: false,
    isKeyed: false,
    write: (rows) => rows.map(({ text }) => `${text}\n`).join(''),
    errorText: `${ERROR}\n`,
    strangeText: '[1,\n2]\n',
  },
];

function arrayOf(rows: readonly Row[]): string {
  return `[${rows.map(({ text }) => text).join(',')}]`;
}

/** The row's first member is its key; it stands outside. */
function keyedOf(rows: readonly Row[]): string {
  if (rows.length === 0) return '[]';
  const member = ({ key, text }: Row) =>
    `${JSON.stringify(key)}:{${text.slice(text.indexOf(',') + 1)}`;
  return `{${rows.map(member).join(',')}}`;
}

function objectOf(members: Readonly<Record<string, string>>): string {
  return `{${Object.entries(members)
    .map(([name, text]) => `${JSON.stringify(name)}:${text}`)
    .join(',')}}`;
}

export const FEED_SHAPE = SHAPES[0] as AnswerShape;
