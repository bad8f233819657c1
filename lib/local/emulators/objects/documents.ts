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
  readonly countMax: number;
  readonly listed: readonly ListedObject[];
  readonly next: string | undefined;
  /** Keys are percent-encoded, as `encoding-type=url` asks. */
  readonly encode: boolean;
}): string {
  const key = (text: string): string => (list.encode ? encodeURIComponent(text) : text);
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
    element('MaxKeys', list.countMax),
    element('KeyCount', list.listed.length),
    element('IsTruncated', String(list.next !== undefined)),
    ...(list.encode ? [element('EncodingType', 'url')] : []),
    ...(list.next === undefined ? [] : [element('NextContinuationToken', list.next)]),
    ...contents,
  ];
  return `${HEAD}<ListBucketResult xmlns="${NAMESPACE}">${members.join('')}</ListBucketResult>`;
}

function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('\r', '&#13;');
}
