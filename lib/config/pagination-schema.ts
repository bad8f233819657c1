/** Schema of how one page of a source leads to the next. */
import * as z from 'zod';
import { dotPath, queryParam, wholeNumber } from './fields.ts';
import { mark } from './mark.ts';
import { strictObject } from './strict-object.ts';

const first = z.literal([0, 1]);

export const paginationSchema = z.discriminatedUnion('kind', [
  strictObject({
    kind: z.literal('none').describe('One answer holds everything.'),
  }),
  strictObject({
    kind: z.literal('cursor').describe('An answer holds the token of the next page.'),
    param: queryParam.describe('Query parameter that takes the token.'),
    next: mark.describe('Where an answer holds the token; null or absent on the last page.'),
    more: dotPath
      .optional()
      .describe('Where an answer says true or false: false ends, whatever the token says.'),
  }),
  strictObject({
    kind: z.literal('link').describe('An answer holds the URL of the next page.'),
    next: z
      .union([
        dotPath,
        strictObject({
          header: z.literal('Link').describe('The link with `rel="next"` in the `Link` header.'),
        }),
      ])
      .default({ header: 'Link' })
      .describe('Where an answer holds the URL; null or absent on the last page.'),
    first: z
      .record(queryParam, z.string())
      .optional()
      .describe('Query parameters of the first request alone: the links bring their own.'),
  }),
  strictObject({
    kind: z.literal('page').describe('A page is asked for by its number; an empty one is the end.'),
    param: queryParam.describe('Query parameter that takes the number.'),
    first: first.default(1).describe('Number of the first page.'),
    pages: mark
      .optional()
      .describe('Where an answer holds how many pages there are: then that alone is the end.'),
  }),
  strictObject({
    kind: z
      .literal('offset')
      .describe('A page is asked for by the place of its first record; an empty one is the end.'),
    param: queryParam.describe('Query parameter that takes the place.'),
    first: first.default(0).describe('Place of the very first record.'),
    total: mark
      .optional()
      .describe('Where an answer holds how many records all pages have: then that is an end, too.'),
    overlap: wholeNumber(0, 100)
      .default(0)
      .describe('How many records of a page the next shows again, to see that none moved.'),
  }),
  strictObject({
    kind: z
      .literal('feed')
      .describe(
        'Each answer holds the token by which what comes next is asked: `incremental.next`.',
      ),
    more: dotPath
      .optional()
      .describe('Where an answer says true or false: false ends, whatever the page holds.'),
    pending: mark
      .optional()
      .describe(
        'Where an answer holds how many changes are left: 0 ends. With neither, an empty page.',
      ),
  }),
  strictObject({
    kind: z
      .literal('keyset')
      .describe('A page is asked for by the last record before it; an empty one is the end.'),
    param: queryParam.describe("Query parameter that takes the last record's value."),
    field: dotPath.describe("A record's value that records rise by, and no two of them share."),
  }),
]);
