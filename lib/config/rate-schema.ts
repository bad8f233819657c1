/** Schema of how often a source may be asked. */
import * as z from 'zod';
import { name, wholeNumber } from './fields.ts';
import { strictObject } from './strict-object.ts';

export const rateSchema = strictObject({
  requests: wholeNumber(1, 100_000).describe('How many requests the source takes in `perSec`.'),
  perSec: z
    .number()
    .positive()
    .max(86_400)
    .default(1)
    .describe('In how many seconds; 60 for a limit per minute.'),
  burst: wholeNumber(1, 100_000)
    .default(1)
    .describe('How many requests may leave at once after a rest.'),
  api: name
    .optional()
    .describe(
      'Whose limit it is: all pipelines of a stage that name the same share one budget; the pipeline’s own name unless given.',
    ),
})
  .optional()
  .describe('How often the source may be asked, by all functions together.');
