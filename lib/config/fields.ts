/** Kinds of value that several settings share. */
import * as z from 'zod';
import { strictObject } from './strict-object.ts';
import { urlFault } from './url-fault.ts';

/** Pipelines and consumers: part of the name of every resource. */
export const name = z.string().regex(/^[a-z][a-z0-9-]{0,30}$/, {
  error: 'must be 1 to 31 of a–z, 0–9 and hyphens, a letter first',
});

/** A place in JSON: `data`, `properties.updated`. */
export const dotPath = z.string().regex(/^[^.]+(\.[^.]+)*$/, {
  error: "must be a dot path such as 'properties.updated'",
});

export const headerName = z
  .string()
  .regex(/^[\w!#$%&'*+.^`|~-]+$/, { error: "must be a header's name such as 'X-Next-Page'" });

export const queryParam = z.string().regex(/./s, { error: 'must name a query parameter' });

const TIMESTAMP_FORMATS = ['iso', 'epoch-s', 'epoch-ms', 'epoch-us', 'date', 'local'] as const;
export const timestampFormat = z.enum(TIMESTAMP_FORMATS);
export const boundaryFormat = z.enum([...TIMESTAMP_FORMATS, 'iso-s']);
export const versionFormat = z.enum([...TIMESTAMP_FORMATS, 'integer', 'revision']);

export const timeZoneName = z.string().refine(isTimeZone, {
  error: "must be an IANA time zone such as 'Europe/London'",
});

export const wholeNumber = (min: number, max: number) => z.int().min(min).max(max);

function isTimeZone(text: string): boolean {
  try {
    return Intl.DateTimeFormat('en', { timeZone: text }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

/** Variables that the runtime, the SDK or Penstock itself reads. */
const RESERVED_ENV = /^(AWS|LAMBDA|PENSTOCK|POWERTOOLS|NODE)_|^(PATH|HOME|TZ|LANG|_HANDLER)$/;

export const environmentName = z
  .string()
  .regex(/^[A-Z][A-Z0-9]*(_[A-Z][A-Z0-9]*)*$/, {
    error: "must be an environment variable's name such as 'ORDERS_API_URL'",
  })
  .refine((text) => !RESERVED_ENV.test(text), { error: 'is a name that the runtime reserves' });

/** A secret's name, without its stage prefix. */
export const secret = z
  .string()
  .regex(/^[a-z][a-z0-9-]{0,62}$/, { error: 'must be a–z, 0–9 and hyphens, a letter first' });

/** `text`, or the name of an environment variable that holds it. */
export function textOrSetting(text: z.ZodType<string, string>) {
  return z.union([
    text,
    strictObject({
      env: environmentName.describe(
        'Environment variable that holds the value where the pipeline runs.',
      ),
      default: text.optional().describe('The value where the environment holds none.'),
    }),
  ]);
}

export const httpUrl = z.string().superRefine((text, context) => {
  const fault = urlFault(text);
  if (fault !== undefined) context.addIssue(fault);
});
