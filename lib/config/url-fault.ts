/** Why a text cannot be where a source answers; undefined when it can. Ends a sentence that begins with its name. */
export function urlFault(text: string): string | undefined {
  if (!URL.canParse(text)) return 'must be an absolute URL';
  const url = new URL(text);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return 'must be an http(s) URL';
  if (url.username !== '' || url.password !== '') return 'must hold no user name or password';
  return undefined;
}
