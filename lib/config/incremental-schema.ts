/** Schema of how a source is asked only for what changed. */
import * as z from 'zod';
import { dotPath, queryParam, timestampFormat, wholeNumber } from './fields.ts';
import { strictObject } from './strict-object.ts';
import { tokenSchema } from './token-schema.ts';

const timeSchema = strictObject({
  kind: z
    .literal('time')
    .optional()
    .describe(
      'A source is asked for what changed since a time; this is meant where no kind is given.',
    ),
  param: queryParam.describe('Query parameter that takes the boundary.'),
  field: dotPath.describe("A record's timestamp that the parameter filters by."),
  fieldFormat: timestampFormat.default('iso').describe("How the record's timestamp is written."),
  format: timestampFormat.default('iso').describe("How the parameter's value is written."),
  horizonSec: wholeNumber(0, 86_400)
    .default(90)
    .describe('How long after its timestamp a record may still appear, in seconds.'),
  inclusive: z
    .boolean()
    .default(true)
    .describe('Whether a record exactly at the boundary is answered.'),
  ordered: z
    .boolean()
    .default(true)
    .describe('Whether answers rise by `field`. Where not, versions alone keep order.'),
});

export const incrementalSchema = z.discriminatedUnion('kind', [timeSchema, tokenSchema]);
