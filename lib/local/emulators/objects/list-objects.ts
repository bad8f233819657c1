/** ListObjectsV2: a page of keys, and of what they have in common up to a delimiter. */
import type { WireRequest, WireResponse } from '#local/contracts';
import { element, listDocument } from './documents.ts';
import type { Buckets, ListedObject } from './object-store.ts';
import { fail, xml } from './responses.ts';

/** @source Amazon S3 API 2006-03-01, ListObjectsV2, max-keys. */
const PAGE_KEYS_MAX = 1_000;

const PARAMETERS = [
  'list-type',
  'prefix',
  'delimiter',
  'continuation-token',
  'start-after',
  'max-keys',
  'encoding-type',
  'fetch-owner',
  'x-id',
];

export function listObjects(
  { query }: WireRequest,
  bucket: string,
  buckets: Buckets,
): WireResponse {
  const unknown = [...query.keys()].find((name) => !PARAMETERS.includes(name));
  if (unknown !== undefined) {
    return fail(501, 'NotImplemented', `The local cloud has no parameter ${unknown} of a list.`);
  }
  const asked = query.get('max-keys') ?? String(PAGE_KEYS_MAX);
  if (!/^\d+$/.test(asked)) {
    return fail(
      400,
      'InvalidArgument',
      'Provided max-keys not an integer or within integer range',
      {
        ArgumentName: 'max-keys',
        ArgumentValue: asked,
      },
    );
  }
  const encoding = query.get('encoding-type');
  if (encoding !== null && encoding !== 'url') {
    return fail(400, 'InvalidArgument', 'Invalid Encoding Method specified in Request', {
      ArgumentName: 'encoding-type',
      ArgumentValue: encoding,
    });
  }
  const token = query.get('continuation-token');
  const startAfter = query.get('start-after') ?? '';
  const after = token === null ? startAfter : Buffer.from(token, 'base64url').toString();
  if (token !== null && Buffer.from(after).toString('base64url') !== token) {
    return fail(400, 'InvalidArgument', 'The continuation token provided is incorrect', {
      ArgumentName: 'continuation-token',
      ArgumentValue: token,
    });
  }
  const countMax = Math.min(Number(asked), PAGE_KEYS_MAX);
  const prefix = query.get('prefix') ?? '';
  const delimiter = query.get('delimiter') ?? '';
  const page = pageOf(
    (from, count) => buckets.page(bucket, { prefix, after: from, countMax: count }),
    {
      prefix,
      delimiter,
      after,
      countMax,
    },
  );
  const next = page.next === undefined ? undefined : Buffer.from(page.next).toString('base64url');
  const members = [
    ...(token === null ? [] : [element('ContinuationToken', token)]),
    ...(startAfter === '' ? [] : [element('StartAfter', startAfter)]),
  ];
  const encode = encoding === 'url';
  return xml(
    200,
    listDocument({ bucket, prefix, delimiter, countMax, ...page, next, encode, members }),
  );
}

interface Page {
  readonly listed: readonly ListedObject[];
  readonly prefixes: readonly string[];
  /** Where the next page begins, after. */
  readonly next: string | undefined;
}

/** A common prefix counts as one key, and takes all of its keys with it. */
function pageOf(
  read: (after: string, count: number) => readonly ListedObject[],
  asked: { prefix: string; delimiter: string; after: string; countMax: number },
): Page {
  const { prefix, delimiter, countMax } = asked;
  const listed: ListedObject[] = [];
  const prefixes: string[] = [];
  let after = asked.after;
  const commonOf = (key: string): string | undefined => {
    const at = delimiter === '' ? -1 : key.indexOf(delimiter, prefix.length);
    return at < 0 ? undefined : key.slice(0, at + delimiter.length);
  };
  // A page that ended with a common prefix goes on behind all of its keys.
  let passed = delimiter !== '' && after.endsWith(delimiter) ? commonOf(after) : undefined;
  for (;;) {
    const found = read(after, PAGE_KEYS_MAX);
    if (found.length === 0) return { listed, prefixes, next: undefined };
    for (const object of found) {
      const common = commonOf(object.key);
      if (common !== undefined && common === passed) {
        after = object.key;
        continue;
      }
      if (listed.length + prefixes.length >= countMax) {
        const next = countMax === 0 ? undefined : (passed ?? after);
        return { listed, prefixes, next };
      }
      if (common === undefined) listed.push(object);
      else prefixes.push(common);
      passed = common;
      after = object.key;
    }
  }
}
