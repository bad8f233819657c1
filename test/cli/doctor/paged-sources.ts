/** Sources that page in one way, and files that say another. */
import type { PipelineInput } from '#config/pipeline-input';
import { SOURCE } from './examine.ts';
import type { Patient } from './examine.ts';
import { seededRows } from './fake-api.ts';
import type { FakeApi, FakeAsk, FakePage, FakeRow } from './fake-api.ts';

type Source = PipelineInput['source'];

export const sourceOf = (over: Partial<Source>) => ({ source: { ...SOURCE, ...over } });
export const paged = (pagination: Source['pagination']) => sourceOf({ pagination });

/** Rows are numbered from 1, and asked for behind a number. */
export const keyset = (
  sort: (rows: readonly FakeRow[]) => readonly FakeRow[],
  isBehind: (id: number, after: number) => boolean,
): Patient => {
  const rows = sort(seededRows(5).map((row, at) => ({ ...row, id: at + 1 })));
  const page = (_page: FakePage, { since, cursor, limit }: FakeAsk) => {
    const asked = rows.filter(
      ({ id, changed_at }) =>
        String(changed_at) >= (since ?? '') &&
        (cursor === null || isBehind(Number(id), Number(cursor))),
    );
    return { data: asked.slice(0, limit) };
  };
  const byId = { kind: 'keyset', param: 'cursor', field: 'id' } as const;
  const unordered = { ...SOURCE.incremental, ordered: false } as const;
  return { api: { page }, file: sourceOf({ pagination: byId, incremental: unordered }) };
};

export const falling = (rows: readonly FakeRow[]) => rows.toReversed();
export const asTexts = (rows: readonly FakeRow[]) =>
  rows.toSorted((one, other) => (String(one.id) < String(other.id) ? -1 : 1));

/** An API that counts pages by `cursor`; the first has the number given. */
export const counting = (first: 0 | 1): FakeApi => ({
  ask: (ask) => {
    const page = Math.max(0, Number(ask.cursor ?? first) - first);
    return { ...ask, cursor: String(page * ask.limit) };
  },
  page: ({ data }) => ({ data }),
});

export const flagged = (flag: string): FakeApi => ({
  page: (page) => ({ ...page, [flag]: page.next_cursor === null }),
});

export const byFlag = (more: string) =>
  paged({ kind: 'cursor', param: 'cursor', next: 'next_cursor', more });

export const whole = (more: object, limit = 10): Patient => ({
  api: { ask: (ask) => ({ ...ask, limit }), page: ({ data }) => ({ data, ...more }) },
  file: sourceOf({ pagination: { kind: 'none' }, pageSize: undefined }),
});
