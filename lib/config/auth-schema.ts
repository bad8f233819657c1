/** Schema of a source's `auth`: how its requests prove who asks. */
import * as z from 'zod';
import { httpUrl, queryParam, secret, textOrSetting } from './fields.ts';
import { strictObject } from './strict-object.ts';

/** @source RFC 9110, 5.6.2: token. */
const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

/** What every request sets itself, or what frames it. */
const OWN_HEADER =
  /^(accept|accept-encoding|user-agent|host|content-.*|connection|keep-alive|transfer-encoding|te|trailer|upgrade|expect|proxy-.*)$/i;

const headerName = z
  .string()
  .regex(HEADER_NAME, { error: "must be a header's name such as 'X-Api-Key'" })
  .refine((name) => !OWN_HEADER.test(name), {
    error: 'is a header that every request sets itself',
  });

/** Goes into a header as it is. */
const headerText = z.string().regex(/^[\x20-\x7e]*$/, { error: 'must be plain ASCII text' });

const someText = z.string().min(1, { error: 'must not be empty' });

/** A misspelt key is not missing as well. */
const isFaultless = ({ issues }: { readonly issues: readonly unknown[] }) => issues.length === 0;

/** These have a meaning of their own, which is to wait or to ask again. */
const NOT_REFUSED: readonly number[] = [408, 425, 429];

const refetchOn = z
  .array(
    z
      .int()
      .min(400)
      .max(499)
      .refine((status) => !NOT_REFUSED.includes(status), {
        error: 'asks to come again, and refuses nobody',
      }),
  )
  .default([401])
  .describe(
    'Statuses by which the source says that what it was shown is no longer good: the secret is read, ' +
      'or a token fetched, anew, and the request is sent once more.',
  );

const apiKey = strictObject({
  kind: z.literal('api-key').describe('Requests carry a key in a header or a query parameter.'),
  secret: secret.describe('Secret whose text is the key, without its stage prefix.'),
  header: headerName.optional().describe('Header that takes the key: this, or `param`.'),
  prefix: headerText
    .default('')
    .describe("What stands before the key in the header, with its space: 'Token '."),
  param: queryParam.optional().describe('Query parameter that takes the key: this, or `header`.'),
  refetchOn,
})
  .refine(({ header, param }) => header !== undefined || param !== undefined, {
    error: 'must name the header or the param of the key',
    when: isFaultless,
  })
  .refine(({ header, param }) => header === undefined || param === undefined, {
    error: 'takes header or param, not both',
    when: isFaultless,
  })
  .refine(({ header, prefix }) => header !== undefined || prefix === '', {
    error: 'stands in a header: name one',
    path: ['prefix'],
    when: isFaultless,
  });

const oauth2 = strictObject({
  kind: z
    .literal('oauth2')
    .describe('Requests carry an access token, fetched from a token endpoint and renewed early.'),
  grant: z
    .enum(['client-credentials', 'refresh-token'])
    .default('client-credentials')
    .describe(
      'By what tokens are fetched: for the client itself, or for who gave it a refresh token.',
    ),
  tokenUrl: textOrSetting(httpUrl).describe('Where access tokens are fetched from.'),
  clientId: textOrSetting(someText).describe("The client's id."),
  secret: secret.describe(
    "Secret whose text is the client's, without its stage prefix; with a refresh token, JSON such as " +
      '{"clientSecret":"…","refreshToken":"…"}.',
  ),
  scope: textOrSetting(someText).optional().describe('Scopes to ask for, separated by spaces.'),
  audience: textOrSetting(someText).optional().describe('What the token is for, where asked for.'),
  clientIn: z
    .enum(['body', 'header'])
    .default('body')
    .describe("Where the client's id and secret stand in the request for a token."),
  refetchOn,
});

export const authSchema = z.discriminatedUnion('kind', [
  strictObject({ kind: z.literal('none').describe('Requests carry no credentials.') }),
  strictObject({
    kind: z.literal('bearer').describe('Requests carry `Authorization: Bearer …`.'),
    secret: secret.describe('Secret whose text is the token, without its stage prefix.'),
    refetchOn,
  }),
  apiKey,
  strictObject({
    kind: z.literal('basic').describe('Requests carry `Authorization: Basic …`.'),
    secret: secret.describe(
      'Secret that is JSON such as {"username":"…","password":"…"}, without its stage prefix.',
    ),
    refetchOn,
  }),
  oauth2,
]);
