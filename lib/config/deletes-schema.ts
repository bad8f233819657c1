/** Schema of a second feed, whose every row is a delete. */
import * as z from 'zod';
import {
  dotPath,
  queryParam,
  textOrSetting,
  timestampFormat,
  versionFormat,
  wholeNumber,
} from './fields.ts';
import { timeIncrementalSchema } from './incremental-schema.ts';
import { paginationSchema } from './pagination-schema.ts';
import { recordsSchema } from './records-schema.ts';
import { strictObject } from './strict-object.ts';

/** No host, no query: whatever it says, it stays with the origin of `source.url`. */
const path = z.string().regex(/^\/(?!\/)[^\s?#\\]*$/, {
  error: "must be a path at the origin of source.url such as '/orders/deleted'",
});

const ONE_OR_TWO = 'must be one dot path, or two';

const pathOrPaths = z.union([dotPath, z.tuple([dotPath, dotPath], { error: ONE_OR_TWO })], {
  error: ({ input }) =>
    typeof input === 'string' || Array.isArray(input) ? undefined : ONE_OR_TWO,
});

function fieldOf<Format extends z.ZodType<string, string>>(format: Format) {
  return z.union([
    dotPath.transform((field) => ({ field, format: 'iso' as const })),
    strictObject({
      field: dotPath.describe('Where a row holds it.'),
      format: format.describe('How it is written.'),
    }),
  ]);
}

export const deletesSchema = strictObject({
  path: path.describe(
    'Where the feed is, at the origin of source.url; asked with its credentials.',
  ),
  records: recordsSchema,
  key: pathOrPaths
    .optional()
    .describe("Where a row holds the record's key, or its two parts; as record.key unless given."),
  partitionBy: dotPath
    .optional()
    .describe('Where a row holds what record.partitionBy names; the key unless given.'),
  version: fieldOf(versionFormat)
    .optional()
    .describe(
      'What compares with record.version; unless given, a delete takes away whatever was seen before it.',
    ),
  eventTime: fieldOf(timestampFormat)
    .optional()
    .describe('When the record was deleted; when the feed was read unless given.'),
  pagination: paginationSchema.describe('How one page leads to the next.'),
  incremental: timeIncrementalSchema.describe('How to ask only for new deletes.'),
  pageSize: strictObject({
    param: queryParam.describe('Query parameter that takes the size.'),
    value: wholeNumber(1, 10_000).describe('Rows of one page.'),
  })
    .optional()
    .describe("How many rows one answer holds; not asked for with pagination 'none'."),
  query: z
    .record(queryParam, textOrSetting(z.string()))
    .default({})
    .describe('Query parameters that every request carries: each a text, or a setting.'),
});
