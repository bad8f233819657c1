import type { Credentials } from './authorize.ts';

/** Shorter ones stand in any text: a page's number, a part of a word. */
export const SECRET_LENGTH_MIN = 8;

/** What of credentials is a secret, and long enough to be known by itself. */
export function credentialTexts({ headers, params }: Credentials): readonly string[] {
  const texts = Object.values(headers).flatMap((header) => [header, ...textsIn(header)]);
  return secretTexts([...texts, ...Object.values(params)]);
}

/** Those of the texts that are looked for: without the blanks around them, which no header keeps. */
export function secretTexts(texts: readonly string[]): readonly string[] {
  return texts.map((text) => text.trim()).filter(({ length }) => length >= SECRET_LENGTH_MIN);
}

/** Behind the word that says of which kind it is. */
function textsIn(header: string): readonly string[] {
  const bare = header.slice(header.indexOf(' ') + 1);
  if (/^basic /i.test(header)) return [bare, secretOfLogin(bare)];
  const [, named] = /^\w+="?([^"]+)"?$/.exec(bare) ?? [];
  return named === undefined ? [bare] : [bare, named];
}

/**
 * The password; where that is too short to be one, as the `X` beside a key for a user name, the name.
 * Of any other login the name is no secret: it may stand in records, as a person's mail address does.
 */
function secretOfLogin(pair: string): string {
  const [user = '', ...rest] = Buffer.from(pair, 'base64').toString().split(':');
  const password = rest.join(':');
  return password.length >= SECRET_LENGTH_MIN ? password : user;
}
