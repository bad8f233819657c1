/** Schema of a source that answers a token by which it is asked for what changed since. */
import * as z from 'zod';
import { kindOfError } from './errors-schema.ts';
import { dotPath, queryParam, wholeNumber } from './fields.ts';
import { mark } from './mark.ts';
import { strictObject } from './strict-object.ts';

/** What each of them means is settled: who asks, too early, too fast. */
const SETTLED = [401, 408, 425, 429];

const expired = strictObject({
  status: z
    .array(
      wholeNumber(400, 499).refine((status) => !SETTLED.includes(status), {
        error: `must not be ${SETTLED.join(', ').replace(/, (?=\d+$)/, ' or ')}: that is no word on a token`,
      }),
    )
    .default([410])
    .describe('Statuses by which the source says that a token is too old.'),
  onlyIf: kindOfError
    .optional()
    .describe('Which answers of these statuses say so, where others mean another thing.'),
})
  .default({ status: [410] })
  .describe('How it is known that a token is too old: everything is read anew then.');

export const tokenSchema = strictObject({
  kind: z
    .literal('token')
    .describe('A source is asked for what changed since a token it answered.'),
  param: queryParam.describe('Query parameter that takes the token.'),
  next: mark.describe('Where an answer holds the token: of a feed each, of other pages the last.'),
  first: z
    .string()
    .optional()
    .describe('What a full read is asked with; the parameter is left out unless given.'),
  expired,
});

export const deltaLinkSchema = strictObject({
  kind: z
    .literal('delta-link')
    .describe('A source is asked for what changed since by a link that it answered.'),
  next: dotPath.describe("Where the last page's answer holds the link."),
  expired,
});
