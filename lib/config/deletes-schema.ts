/** Schema of a second feed, whose every row is a delete. */
import * as z from 'zod';
import { fixedQuery, formattedField, keyPath, pageSizeOf } from './feed-fields.ts';
import { dotPath, timestampFormat, versionFormat } from './fields.ts';
import { timeIncrementalSchema } from './incremental-schema.ts';
import { paginationSchema } from './pagination-schema.ts';
import { recordsSchema } from './records-schema.ts';
import { strictObject } from './strict-object.ts';

/** No host, no query: whatever it says, it stays with the origin of `source.url`. */
const path = z.string().regex(/^\/(?!\/)[^\s?#\\]*$/, {
  error: "must be a path at the origin of source.url such as '/orders/deleted'",
});

export const deletesSchema = strictObject({
  path: path.describe(
    'Where the feed is, at the origin of source.url; asked with its credentials.',
  ),
  records: recordsSchema,
  key: keyPath
    .optional()
    .describe("Where a row holds the record's key, or its two parts; as record.key unless given."),
  partitionBy: dotPath
    .optional()
    .describe('Where a row holds what record.partitionBy names; the key unless given.'),
  version: z
    .union(formattedField(versionFormat, 'row'))
    .optional()
    .describe(
      'What compares with record.version; unless given, a delete takes away whatever was seen before it.',
    ),
  eventTime: z
    .union(formattedField(timestampFormat, 'row'))
    .optional()
    .describe('When the record was deleted; when the feed was read unless given.'),
  pagination: paginationSchema.describe('How one page leads to the next.'),
  incremental: timeIncrementalSchema.describe('How to ask only for new deletes.'),
  pageSize: pageSizeOf('row'),
  query: fixedQuery,
});
