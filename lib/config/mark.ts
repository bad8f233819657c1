/** Where an answer holds something. */
import * as z from 'zod';
import { dotPath, headerName } from './fields.ts';
import { strictObject } from './strict-object.ts';

/** A place in the answer's body, or a header of it. */
export const mark = z.union([
  dotPath,
  strictObject({ header: headerName.describe('Header of the answer that holds it.') }),
]);
