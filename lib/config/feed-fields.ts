/** Settings that a feed of records and a feed of deletes have in common. */
import * as z from 'zod';
import { dotPath, queryParam, textOrSetting, wholeNumber } from './fields.ts';
import { strictObject } from './strict-object.ts';

/** What a feed shows one of, as its settings speak of it. */
type Shown = 'record' | 'row';

const ONE_OR_TWO = 'must be one dot path, or two';

/** Where a key is, or its two parts. */
export const keyPath = z.union([dotPath, z.tuple([dotPath, dotPath], { error: ONE_OR_TWO })], {
  error: ({ input }) =>
    typeof input === 'string' || Array.isArray(input) ? undefined : ONE_OR_TWO,
});

/** The shapes of a field that is written in one of several formats: a dot path alone is ISO 8601. */
export function formattedField<Format extends z.ZodType<string, string>>(
  format: Format,
  shown: Shown,
) {
  return [
    dotPath.transform((field) => ({ field, format: 'iso' as const })),
    strictObject({
      field: dotPath.describe(`Where a ${shown} holds it.`),
      format: format.describe('How it is written.'),
    }),
  ] as const;
}

export function pageSizeOf(shown: Shown) {
  const value = shown === 'record' ? 'Records of one page.' : 'Rows of one page.';
  return strictObject({
    param: queryParam
      .optional()
      .describe(
        'Query parameter that takes the size; left out where the size is not ours to choose.',
      ),
    value: wholeNumber(1, 10_000).describe(value),
  })
    .optional()
    .describe(`How many ${shown}s one answer holds; not asked for with pagination 'none'.`);
}

export const fixedQuery = z
  .record(queryParam, textOrSetting(z.string()))
  .default({})
  .describe('Query parameters that every request carries: each a text, or a setting.');
