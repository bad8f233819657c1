/** How a simulated source says that a row is deleted. Another kind is one more entry. */
import type { RowRules } from './rows.ts';

export interface DeleteKind {
  readonly name: string;
  /** What a pipeline file's source says. */
  readonly file: object;
  /** Members of a row, as JSON; undefined: a row does not say it. */
  readonly members: ((isDeleted: boolean, at: string) => string) | undefined;
  /** How a row may go. */
  readonly going: RowRules['going'];
  readonly feed: RowRules['feed'];
  /** Of a source that is asked for what has changed, or that is read as a whole. */
  readonly reads: 'changes' | 'the whole';
}

const PLAIN = { file: {}, members: undefined, feed: 'none', reads: 'changes' } as const;

/** Of the path of its feed; how that pages is another matter. */
export const FEED_PATH = '/parcels/deleted';

export const DELETE_KINDS: readonly DeleteKind[] = [
  { ...PLAIN, name: 'none', going: 'untold' },
  {
    ...PLAIN,
    name: 'a flag',
    file: { deleted: { field: 'is_gone' } },
    members: (isDeleted) => `"is_gone":${isDeleted}`,
    going: 'never',
  },
  {
    ...PLAIN,
    name: 'a moment',
    file: { deleted: { field: 'gone.at' } },
    members: (isDeleted, at) => `"gone":{"at":${isDeleted ? at : 'null'}}`,
    going: 'never',
  },
  { ...PLAIN, name: 'a feed', going: 'told', feed: 'with versions' },
  { ...PLAIN, name: 'a feed without versions', going: 'told', feed: 'without versions' },
  {
    ...PLAIN,
    name: 'absence',
    file: { orphans: { shareMax: 1 } },
    going: 'told',
    reads: 'the whole',
  },
  {
    ...PLAIN,
    name: 'none, of a whole',
    file: { orphans: false },
    going: 'untold',
    reads: 'the whole',
  },
];
