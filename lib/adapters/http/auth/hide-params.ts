import { formEncoded } from './form-encoded.ts';

/** What an answer may write between a parameter's name and its value: plain, as JSON, in a URL. */
const EQUALS = String.raw`=|\\u003[dD]|%3[dD]`;

/**
 * Strike the credentials of a query out of what a source answered. The address of the next page
 * often quotes them, and such an address is stored, published and said.
 *
 * @param params as `Credentials` holds them; the same text where there are none.
 * @example hideParams('/orders?key=k1&page=2', { key: 'k1' }); // '/orders?key=***&page=2'
 */
export function hideParams(text: string, params: Readonly<Record<string, string>>): string {
  return Object.entries(params).reduce((said, [name, value]) => {
    const values = [value, encodeURIComponent(value), formEncoded(value)];
    const pattern = `(${anyOf([name, formEncoded(name)])})(${EQUALS})(?:${anyOf(values)})`;
    return said.replaceAll(new RegExp(pattern, 'g'), '$1$2***');
  }, text);
}

/** The longest first: one may begin as another does. */
function anyOf(texts: readonly string[]): string {
  const distinct = [...new Set(texts)].sort((a, b) => b.length - a.length);
  return distinct
    .map((text) => text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, String.raw`\$&`))
    .join('|');
}
