/** The XML that Amazon S3 answers with. */
import type { ListedObject } from './object-store.ts';

const HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n';
const NAMESPACE = 'http://s3.amazonaws.com/doc/2006-03-01/';

export function element(name: string, text: string | number): string {
  return `<${name}>${escaped(String(text))}</${name}>`;
}

export function errorDocument({
  code,
  message,
  members,
}: {
  code: string;
  message: string;
  members: readonly string[];
}): string {
  const inside = [element('Code', code), element('Message', message), ...members].join('');
  return `${HEAD}<Error>${inside}</Error>`;
}

export function listDocument(list: {
  readonly bucket: string;
  readonly prefix: string;
  readonly delimiter: string;
  readonly countMax: number;
  readonly listed: readonly ListedObject[];
  readonly prefixes: readonly string[];
  readonly next: string | undefined;
  /** Keys are percent-encoded, as `encoding-type=url` asks. */
  readonly encode: boolean;
  readonly members: readonly string[];
}): string {
  const key = (text: string): string =>
    list.encode ? encodeURIComponent(text).replaceAll('%2F', '/') : text;
  const contents = list.listed.map(
    (object) =>
      `<Contents>${element('Key', key(object.key))}` +
      element('LastModified', new Date(object.modifiedMs).toISOString()) +
      `${element('ETag', object.etag)}${element('Size', object.byteCount)}` +
      `${element('StorageClass', 'STANDARD')}</Contents>`,
  );
  const members = [
    element('Name', list.bucket),
    element('Prefix', key(list.prefix)),
    ...(list.delimiter === '' ? [] : [element('Delimiter', key(list.delimiter))]),
    element('MaxKeys', list.countMax),
    element('KeyCount', list.listed.length + list.prefixes.length),
    element('IsTruncated', String(list.next !== undefined)),
    ...(list.encode ? [element('EncodingType', 'url')] : []),
    ...(list.next === undefined ? [] : [element('NextContinuationToken', list.next)]),
    ...list.members,
    ...contents,
    ...list.prefixes.map(
      (prefix) => `<CommonPrefixes>${element('Prefix', key(prefix))}</CommonPrefixes>`,
    ),
  ];
  return documentOf('ListBucketResult', members);
}

/** A whole answer. */
export function documentOf(name: string, members: readonly string[]): string {
  return `${HEAD}<${name} xmlns="${NAMESPACE}">${members.join('')}</${name}>`;
}

function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('\r', '&#13;');
}

/** The texts of every element of a name, as clients write them. */
export function textsOf(name: string, xml: string): readonly string[] {
  const found = xml.matchAll(new RegExp(`<${name}>([^<]*)</${name}>`, 'g'));
  return [...found].map(([, text = '']) => unescaped(text));
}

function unescaped(text: string): string {
  return text.replaceAll(/&(lt|gt|quot|apos|amp|#\d+|#x[0-9a-f]+);/gi, (_, name: string) => {
    if (!name.startsWith('#')) return ENTITIES[name] ?? '';
    const isHex = name[1] === 'x' || name[1] === 'X';
    return String.fromCodePoint(Number.parseInt(name.slice(isHex ? 2 : 1), isHex ? 16 : 10));
  });
}

const ENTITIES: Readonly<Record<string, string>> = {
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  amp: '&',
};
