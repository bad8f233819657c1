/**
 * Read the URL that requests go to.
 *
 * @param name what a fault of the URL is called by.
 * @throws {Error} when it cannot be used, without repeating it.
 */
export function baseUrl(text: string, name: string): URL {
  if (!URL.canParse(text)) throw new Error(`${name} is not a URL`);
  const url = new URL(text);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new Error(`${name} is neither http nor https`);
  }
  if (url.username !== '' || url.password !== '') {
    throw new Error(`${name} holds credentials; put them into a secret and name it in source.auth`);
  }
  return url;
}
