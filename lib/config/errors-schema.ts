/** Schema of how an answer of status 200 says that it is an error. */
import * as z from 'zod';
import { dotPath } from './fields.ts';
import { strictObject } from './strict-object.ts';

/** Answers that hold one of `is` at `path`. */
export const kindOfError = strictObject({
  path: dotPath.describe('Where an answer holds the kind of error.'),
  is: z
    .array(z.string().min(1, { error: 'must not be empty' }))
    .min(1, { error: 'must name at least one kind of error' })
    .describe('Kinds that count.'),
});

export const errorsSchema = strictObject({
  path: dotPath.describe(
    'An answer that holds anything but null, false, 0 or emptiness here is an error, not a page.',
  ),
  waitIf: kindOfError
    .optional()
    .describe('Which errors are waited for, as a status 429 is. All others end the poll.'),
})
  .optional()
  .describe('How an error that comes with status 200 is known.');
