/** penstock doctor against sources whose pages lead where the file says, however strange they look. */
import { describe, expect, test } from 'vitest';
import { briefly, examine } from './examine.ts';
import type { Patient } from './examine.ts';
import { asTexts, byFlag, counting, falling, keyset, paged, whole } from './paged-sources.ts';

const SOUND: readonly (readonly [title: string, patient: Patient])[] = [
  ['numbers that fall, asked for below the last', keyset(falling, (id, after) => id < after)],
  [
    'numbers that rise as texts, and are asked for so',
    keyset(asTexts, (id, after) => String(id) > String(after)),
  ],
  [
    'pages that are counted from 1',
    { api: counting(1), file: paged({ kind: 'page', param: 'cursor' }) },
  ],
  [
    'pages that are counted from 0, as the file says',
    { api: counting(0), file: paged({ kind: 'page', param: 'cursor', first: 0 }) },
  ],
  [
    'places, of which a page has all',
    {
      api: { rows: (rows) => rows.slice(0, 8), page: ({ data }) => ({ data }) },
      file: paged({ kind: 'offset', param: 'cursor' }),
    },
  ],
  [
    'a flag that ends a full page, with the token of its end beside it',
    {
      api: {
        rows: (rows) => rows.slice(0, 8),
        page: ({ data, next_cursor }) => ({ data, next_cursor: '8', more: next_cursor !== null }),
      },
      file: byFlag('more'),
    },
  ],
  [
    'one answer that says that it is all',
    whole({ next: null, has_more: false, is_last: true }, 40),
  ],
  [
    'a flag that says when there is more',
    {
      api: { page: (page) => ({ ...page, more: page.next_cursor !== null }) },
      file: byFlag('more'),
    },
  ],
];

describe('the doctor finds nothing on', () => {
  test.each(SOUND)('%s', async (_title, patient) => {
    expect(briefly(await examine(patient))).toEqual([]);
  });
});
