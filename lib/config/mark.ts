/** Where an answer holds something. */
import * as z from 'zod';
import { dotPath } from './fields.ts';
import { strictObject } from './strict-object.ts';

const headerName = z
  .string()
  .regex(/^[\w!#$%&'*+.^`|~-]+$/, { error: "must be a header's name such as 'X-Next-Page'" });

/** A place in the answer's body, or a header of it. */
export const mark = z.union([
  dotPath,
  strictObject({ header: headerName.describe('Header of the answer that holds it.') }),
]);
