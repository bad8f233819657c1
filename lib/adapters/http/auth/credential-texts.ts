import type { Credentials } from './authorize.ts';

/** Shorter ones stand in any text. */
const LENGTH_MIN = 4;

/** What of credentials is a secret. */
export function credentialTexts({ headers, params }: Credentials): readonly string[] {
  return Object.values(headers)
    .flatMap((header) => [header, ...textsIn(header)])
    .concat(Object.values(params));
}

/** Behind the word that says of which kind it is; of a login the password, or the name where it has none. */
function textsIn(header: string): readonly string[] {
  const bare = header.slice(header.indexOf(' ') + 1);
  const [, named] = /^\w+="?([^"]+)"?$/.exec(bare) ?? [];
  if (!/^basic /i.test(header)) return named === undefined ? [bare] : [bare, named];
  const [user = '', ...password] = Buffer.from(bare, 'base64').toString().split(':');
  return [bare, password.join(':') || user];
}

/** Strike secrets out of what is said of an answer: whoever answers may say them back. */
export function hideTexts(text: string, secrets: readonly string[]): string {
  return secrets
    .filter(({ length }) => length >= LENGTH_MIN)
    .reduce((said, secret) => said.replaceAll(secret, '***'), text);
}
