import type { Credentials } from './authorize.ts';

/** Shorter ones stand in any text. */
const LENGTH_MIN = 4;

/** What of credentials is a secret: a header as it is, and without the word that says of which kind it is. */
export function credentialTexts({ headers, params }: Credentials): readonly string[] {
  return Object.values(headers)
    .flatMap((header) => [header, header.slice(header.indexOf(' ') + 1)])
    .concat(Object.values(params));
}

/** Strike secrets out of what is said of an answer: whoever answers may say them back. */
export function hideTexts(text: string, secrets: readonly string[]): string {
  return secrets
    .filter(({ length }) => length >= LENGTH_MIN)
    .reduce((said, secret) => said.replaceAll(secret, '***'), text);
}
