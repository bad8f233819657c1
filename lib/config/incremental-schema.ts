/** Schema of how a source is asked only for what changed. */
import * as z from 'zod';
import { parseTimestamp } from '#core/record/timestamp';
import { boundaryFormat, dotPath, queryParam, timestampFormat, wholeNumber } from './fields.ts';
import { strictObject } from './strict-object.ts';
import { deltaLinkSchema, tokenSchema } from './token-schema.ts';

export const timeIncrementalSchema = strictObject({
  kind: z
    .literal('time')
    .optional()
    .describe(
      'A source is asked for what changed since a time; this is meant where no kind is given.',
    ),
  param: queryParam.describe('Query parameter that takes the boundary.'),
  field: dotPath.describe("A record's timestamp that the parameter filters by."),
  fieldFormat: timestampFormat.default('iso').describe("How the record's timestamp is written."),
  format: boundaryFormat.default('iso').describe("How the parameter's value is written."),
  horizonSec: wholeNumber(0, 2_678_400)
    .default(90)
    .describe('How long after its timestamp a record may still appear or change, in seconds.'),
  inclusive: z
    .boolean()
    .default(true)
    .describe('Whether a record exactly at the boundary is answered.'),
  start: z
    .string()
    .refine((text) => parseTimestamp(text, 'iso') !== undefined, {
      error: "must be ISO 8601 with its offset such as '2031-01-01T00:00:00Z'",
    })
    .optional()
    .describe('Where the very first run begins; with the very first record unless given.'),
  until: strictObject({
    param: queryParam.describe('Query parameter that takes the end.'),
    sec: wholeNumber(60, 31_622_400)
      .optional()
      .describe('Longest span that one run may ask for, in seconds; no end is asked unless given.'),
  })
    .optional()
    .describe('How to ask for a span of time that has an end.'),
  ordered: z
    .boolean()
    .default(true)
    .describe('Whether answers rise by `field`. Where not, versions alone keep order.'),
});

/** Whatever pages there are, a run reads all of them. */
const snapshot = strictObject({
  kind: z
    .literal('snapshot')
    .describe('A run reads everything; what the latest showed, and the next lacks, is deleted.'),
  conditional: z
    .boolean()
    .optional()
    .describe(
      'Whether nothing is read while the first answer has not changed, by its ETag or Last-Modified; unless given, where one answer holds everything.',
    ),
});

export const incrementalSchema = z.discriminatedUnion('kind', [
  timeIncrementalSchema,
  tokenSchema,
  deltaLinkSchema,
  snapshot,
]);
