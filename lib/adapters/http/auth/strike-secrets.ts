/** Strikes out of what a source answers what it was shown: whoever answers may say it back. */
import type { Credentials } from './authorize.ts';
import { credentialTexts, SECRET_LENGTH_MIN, secretTexts } from './credential-texts.ts';
import { spellings } from './spellings.ts';

/** What stands in the place of a secret. */
export const MARK = '***';

/** The same text where it holds no secret. */
export type Strike = (text: string) => string;

/** What may stand between a parameter's name and its value: in an address, and in JSON. */
const BETWEEN = String.raw`(?:${spellings('=')}|\\{0,16}"\s{0,9}:\s{0,9}\\{0,16}")`;

/** So that a number of a record, which stands in no quotes, stays one. */
const WITHIN_TEXT = `(?<=["/]|${spellings('=')})`;

/** Enough to be seldom there by chance. */
const SIGN_LENGTH = 12;

/**
 * Makes what strikes credentials out of an answer. A pattern costs more to make than a small page
 * to search: that of the latest credentials is kept.
 */
export function secretStrikes(): (credentials: Credentials) => Strike {
  let known: { readonly shown: string; readonly strike: Strike } | undefined;
  return (credentials) => {
    const shown = JSON.stringify([credentials.headers, credentials.params]);
    if (known?.shown !== shown) known = { shown, strike: strikeCredentials(credentials) };
    return known.strike;
  };
}

/**
 * Strike credentials out of a text, however it spells them. A short parameter is struck behind its
 * name alone.
 *
 * @example strikeCredentials({ kind: 'credentials', headers: {}, params: { key: 'k1' } })('?key=k1'); // '?key=***'
 */
export function strikeCredentials(credentials: Credentials): Strike {
  const short = Object.entries(credentials.params).filter(
    ([, value]) => value !== '' && value.trim().length < SECRET_LENGTH_MIN,
  );
  return striking([
    ...soughtOf(credentialTexts(credentials)),
    ...short.map(([name, secret]) => ({
      secret,
      pattern: `(?<=${spellings(name)}${BETWEEN})${spellings(secret)}`,
    })),
  ]);
}

/** Strike those of the texts that are long enough, wherever they stand. */
export function strikeTexts(texts: readonly string[]): Strike {
  return striking(soughtOf(secretTexts(texts)));
}

interface Sought {
  readonly secret: string;
  readonly pattern: string;
}

/** The longest first: one may begin as another does. */
function soughtOf(secrets: readonly string[]): readonly Sought[] {
  const distinct = [...new Set(secrets)].sort((a, b) => b.length - a.length);
  return distinct.map((secret) => ({
    secret,
    pattern: /^[\d.eE+-]+$/.test(secret)
      ? String.raw`${WITHIN_TEXT}${spellings(secret)}(?!\d)`
      : spellings(secret),
  }));
}

function striking(sought: readonly Sought[]): Strike {
  if (sought.length === 0) return (text) => text;
  const sign = new RegExp(signsOf(sought).map(spellings).join('|'));
  const pattern = new RegExp(sought.map((one) => one.pattern).join('|'), 'g');
  return (text) => (sign.test(text) ? text.replaceAll(pattern, MARK) : text);
}

/** A part of each secret: most pages hold none, and are searched for these faster than for the whole. */
function signsOf(sought: readonly Sought[]): readonly string[] {
  const secrets = sought.map(({ secret }) => secret);
  const innermost = secrets.filter(
    (secret) => !secrets.some((other) => other !== secret && secret.includes(other)),
  );
  return innermost.map(signOf);
}

/** From a capital on, else from a digit: pages hold least of them, and a search goes by its first. */
function signOf(secret: string): string {
  const most = secret.slice(0, 1 - SECRET_LENGTH_MIN);
  const from = [/[A-Z]/, /\d/].map((kind) => most.search(kind)).find((at) => at >= 0) ?? 0;
  return Array.from(secret.slice(from)).slice(0, SIGN_LENGTH).join('');
}
