/** Schema of how a source is asked, beyond the parameters of its URL. */
import * as z from 'zod';
import { headerName, textOrSetting } from './fields.ts';
import { strictObject } from './strict-object.ts';

const headerText = z.string().regex(/^[\t\u0020-\u007e]*$/, {
  error: 'must be one line of ASCII: no header holds anything else',
});

const jsonObject = z
  .looseObject({})
  .refine((value) => z.json().safeParse(value).success, { error: 'must be JSON' });

export const requestSchema = strictObject({
  method: z
    .enum(['GET', 'POST'])
    .default('GET')
    .describe('How pages are asked for. A POST must only read: it may be sent again.'),
  headers: z
    .record(headerName, textOrSetting(headerText))
    .default({})
    .describe('Headers that every request carries: each a text, or a setting; no credentials.'),
  body: jsonObject
    .optional()
    .describe(
      'JSON that every POST carries. With it, each `param` is a dot path in it, where the value is put.',
    ),
});
