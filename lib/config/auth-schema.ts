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

const apiKey = strictObject({
  kind: z.literal('api-key').describe('Requests carry a key in a header or a query parameter.'),
  secret: secret.describe('Secret whose text is the key, without its stage prefix.'),
  header: headerName.optional().describe('Header that takes the key: this, or `param`.'),
  prefix: headerText
    .default('')
    .describe("What stands before the key in the header, with its space: 'Token '."),
  param: queryParam.optional().describe('Query parameter that takes the key: this, or `header`.'),
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
    .describe('Requests carry an access token, fetched by client credentials and renewed early.'),
  tokenUrl: textOrSetting(httpUrl).describe('Where access tokens are fetched from.'),
  clientId: textOrSetting(someText).describe("The client's id."),
  secret: secret.describe("Secret whose text is the client's, without its stage prefix."),
  scope: textOrSetting(someText).optional().describe('Scopes to ask for, separated by spaces.'),
  audience: textOrSetting(someText).optional().describe('What the token is for, where asked for.'),
  clientIn: z
    .enum(['body', 'header'])
    .default('body')
    .describe("Where the client's id and secret stand in the request for a token."),
});

export const authSchema = z.discriminatedUnion('kind', [
  strictObject({ kind: z.literal('none').describe('Requests carry no credentials.') }),
  strictObject({
    kind: z.literal('bearer').describe('Requests carry `Authorization: Bearer …`.'),
    secret: secret.describe('Secret whose text is the token, without its stage prefix.'),
  }),
  apiKey,
  strictObject({
    kind: z.literal('basic').describe('Requests carry `Authorization: Basic …`.'),
    secret: secret.describe(
      'Secret that is JSON such as {"username":"…","password":"…"}, without its stage prefix.',
    ),
  }),
  oauth2,
]);
