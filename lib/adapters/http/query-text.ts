/** The query of a URL as text: a server may compare its own tokens by their bytes. */

/** The parameters as they are written, without those of the names given. */
export function withoutParams(search: string, names: ReadonlySet<string>): readonly string[] {
  return search
    .replace(/^\?/, '')
    .split('&')
    .filter((part) => part !== '' && !names.has(parameterOf(part)[0]));
}

/** Set parameters; all others stay as they were written, byte for byte. */
export function putParams(url: URL, params: Readonly<Record<string, string>>): void {
  const names = Object.keys(params);
  if (names.length === 0) return;
  const others = withoutParams(url.search, new Set(names));
  url.search = [...others, new URLSearchParams(params).toString()].join('&');
}

/** Name and value, decoded: no other spelling gets by. */
export function parameterOf(part: string): readonly [name: string, value: string] {
  return [...new URLSearchParams(part)][0] ?? ['', ''];
}
