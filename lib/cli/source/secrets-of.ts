/** What of a source's credentials, and of the query of its URL, nobody is to read. */
import { SECRET_LENGTH_MIN } from '#adapters/http/auth/credential-texts';
import { jsonMembers } from '#adapters/http/auth/json-members';
import { parseLogin } from '#adapters/http/auth/login';
import type { SourceAuth } from '#config/pipeline-settings';

export interface SecretTexts {
  readonly auth: SourceAuth;
  /** The text of the secret that the file names; empty where it names none. */
  readonly secret: string;
  /** With its query. */
  readonly url: string;
  /** Further parameters of which the file does not say the value. */
  readonly params?: Readonly<Record<string, string>>;
}

/** The longest first: one may begin as another does. */
export function secretsOf({ auth, secret, url, params = {} }: SecretTexts): readonly string[] {
  const pairs = new URLSearchParams(params).toString().split('&');
  const texts = [...credentialsIn(auth, secret), ...queryOf(url), ...pairs].map((text) =>
    text.trim(),
  );
  return [...new Set(texts)]
    .filter((text) => text !== '')
    .sort((one, other) => other.length - one.length);
}

function credentialsIn(auth: SourceAuth, secret: string): readonly string[] {
  if (auth.kind === 'basic') return loginTexts(secret);
  // Of an OAuth client the secret may be JSON of its tokens.
  const members = Object.values(jsonMembers(secret) ?? {});
  return [secret, ...members.filter((text) => typeof text === 'string')];
}

/** A user name stands in records too, and is no secret beside a password of more than a few characters. */
function loginTexts(secret: string): readonly string[] {
  const login = parseLogin(secret);
  if (login === undefined) return [secret];
  const { username, password } = login;
  const pair = `${username}:${password}`;
  const key = password.length < SECRET_LENGTH_MIN ? username : '';
  return [secret, pair, Buffer.from(pair).toString('base64'), password, key];
}

/** Each parameter as a link would say it back; by itself, only a value that may be a key. */
function queryOf(url: string): readonly string[] {
  if (!URL.canParse(url)) return [];
  const { search, searchParams } = new URL(url);
  return [...search.slice(1).split('&'), ...[...searchParams.values()].filter(mayBeKey)];
}

/** Letters and digits, and no time: words and numbers stand in records as well. */
function mayBeKey(value: string): boolean {
  return /[a-z]/i.test(value) && /\d/.test(value) && !/^\d{4}-\d\d/.test(value);
}
