/** Schema of a pipeline's `source`. */
import * as z from 'zod';
import { authSchema } from './auth-schema.ts';
import { deletesSchema } from './deletes-schema.ts';
import { errorsSchema } from './errors-schema.ts';
import { fixedQuery, pageSizeOf } from './feed-fields.ts';
import { dotPath, httpUrl, textOrSetting, timeZoneName, wholeNumber } from './fields.ts';
import { incrementalSchema } from './incremental-schema.ts';
import { paginationSchema } from './pagination-schema.ts';
import { rateSchema } from './rate-schema.ts';
import { recordsSchema } from './records-schema.ts';
import { requestSchema } from './request-schema.ts';
import { strictObject } from './strict-object.ts';

export const sourceSchema = strictObject({
  url: textOrSetting(httpUrl).describe('Where pages are fetched from.'),
  auth: authSchema.default({ kind: 'none' }).describe('How a request proves who asks.'),
  request: requestSchema.optional().describe('How a page is asked for; by GET unless given.'),
  records: recordsSchema,
  errors: errorsSchema,
  pagination: paginationSchema.describe('How one page leads to the next.'),
  incremental: incrementalSchema.describe('How to ask only for what changed.'),
  pageSize: pageSizeOf('record'),
  query: fixedQuery,
  deleted: strictObject({
    field: dotPath.describe('A record that holds anything but null or false here is deleted.'),
  })
    .optional()
    .describe('How a deleted record is known.'),
  deletes: deletesSchema
    .optional()
    .describe('A second feed, whose every row is a delete; read before the records in each poll.'),
  orphans: z
    .union(
      [
        z.literal(false),
        strictObject({
          shareMax: z
            .number()
            .min(0)
            .max(1)
            .default(0.2)
            .describe(
              'Of the keys known, the share that a complete read may find gone; if more are gone, none is removed.',
            ),
        }),
      ],
      {
        error: ({ input }) =>
          typeof input === 'object' && input !== null && !Array.isArray(input)
            ? undefined
            : 'must be false, or an object such as { shareMax: 0.2 }',
      },
    )
    .default({ shareMax: 0.2 })
    .describe(
      'Whether keys that a complete read no longer shows are removed: of a snapshot, or once a token was too old; false: never.',
    ),
  rate: rateSchema,
  timeZone: timeZoneName
    .optional()
    .describe('IANA time zone of times that name no offset; of dates UTC unless given.'),
  timeoutSec: wholeNumber(1, 120)
    .default(20)
    .describe('How long one request may take, its whole answer included, in seconds.'),
  idleSec: wholeNumber(1, 120)
    .default(10)
    .describe('How long an answer that has begun may pause, in seconds.'),
});
