/** Schema of where an answer holds its records, and in which shape. */
import * as z from 'zod';
import { strictObject } from './strict-object.ts';

const place = z.string().regex(/^([^.]+(\.[^.]+)*)?$/, {
  error: "must be a dot path such as 'properties.updated'",
});

const OPTIONAL = 'An answer without records may leave the place out, or hold null there.';
const optional = z.boolean().optional().describe(OPTIONAL);

export const recordsSchema = z
  .union([
    place,
    strictObject({
      path: place.describe(
        "Where an answer holds an object whose members are the records; '' when the answer is it.",
      ),
      keyedBy: z
        .string()
        .regex(/^[^.]+$/, { error: "must name one member of a record such as 'id'" })
        .describe("Member of a record that takes the record's name, unless the record has it."),
      optional,
    }),
    strictObject({
      path: place.describe('Where an answer holds its array of records, if it has any.'),
      optional: z.literal(true).describe(OPTIONAL),
    }),
    strictObject({
      lines: z.literal(true).describe('An answer is newline-delimited JSON: a record a line.'),
    }),
  ])
  .describe(
    "Where an answer holds its array of records, '' when the answer is the array; or another shape.",
  );
