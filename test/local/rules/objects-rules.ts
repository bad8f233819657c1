import type { Rules } from './rule.ts';

const GUIDE = 'AmazonS3/latest/userguide';
const api = (action: string) => `Amazon S3 API 2006-03-01, ${action}`;

export const OBJECTS_RULES = {
  put: {
    rule: 'an object comes back as it was put, with its type',
    source: api('PutObject, GetObject'),
  },
  'put-bytes': {
    rule: 'any key and any bytes come back as they were put',
    source: api('PutObject'),
  },
  'put-last': {
    rule: 'the last put or delete of a key is what holds',
    source: `${GUIDE}/Welcome, consistency model`,
  },
  'put-headers': {
    rule: 'metadata and encodings come back as they were put',
    limit: '2 KB of metadata',
    source: `${GUIDE}/UsingMetadata`,
  },
  'put-key-length': {
    rule: 'a key is at most 1,024 bytes of UTF-8',
    limit: '1,024 bytes',
    source: `${GUIDE}/object-keys`,
  },
  'put-conditional': {
    rule: 'a put that must not overwrite does not, and one that must overwrite what it names does only that',
    source: `${GUIDE}/conditional-writes`,
  },
  'put-chunked': {
    rule: 'a body sent in chunks is stored without its frames, and one cut short is refused',
    source: 'AmazonS3/latest/API/sigv4-streaming-trailers',
  },
  'put-checksums': {
    rule: 'checksums, in headers or trailers, are verified, kept and given back',
    source: `${GUIDE}/checking-object-integrity`,
  },
  'put-md5': { rule: 'a body of another MD5 or SHA-256 is refused', source: api('BadDigest') },
  'put-unsupported': {
    rule: 'multipart uploads, tags, locks and other storage classes are refused by name',
    source: 'what is not emulated is never ignored',
    isOurChoice: true,
  },
  etag: { rule: 'an etag is the MD5 of the body, in quotes', source: api('Object, ETag') },
  head: { rule: 'a head has the size and no body', source: api('HeadObject') },
  range: {
    rule: 'a range is that part of the object, and one beyond it is refused',
    source: api('GetObject, Range'),
  },
  'get-conditional': {
    rule: 'a get under conditions is answered, not modified, or refused',
    source: api('GetObject, If-Match …'),
  },
  'get-overrides': {
    rule: 'a request may say what its answer’s headers are',
    source: api('GetObject, response-content-type …'),
  },
  delete: {
    rule: 'a deleted object is gone, and deleting it again is no error',
    source: api('DeleteObject'),
  },
  'delete-many': {
    rule: 'many objects are deleted at once, quietly when asked',
    limit: '1–1,000 keys',
    source: api('DeleteObjects'),
  },
  copy: { rule: 'an object is copied with its metadata, or with new', source: api('CopyObject') },
  list: {
    rule: 'a list is the keys of the prefix, once each, in the order of their bytes',
    source: api('ListObjectsV2'),
  },
  'list-pages': {
    rule: 'pages, followed by their tokens, are the whole list',
    limit: '1,000 keys a page',
    source: api('ListObjectsV2, NextContinuationToken'),
  },
  'list-delimiter': {
    rule: 'keys with a delimiter behind the prefix are one common prefix, counted once',
    source: api('ListObjectsV2, Delimiter'),
  },
  'list-start-after': {
    rule: 'a list starts after any key',
    source: api('ListObjectsV2, StartAfter'),
  },
  'list-encoding': {
    rule: 'keys are percent-encoded when asked for',
    source: api('ListObjectsV2, EncodingType'),
  },
  'list-refused': {
    rule: 'a wrong count, token or encoding is refused, and no parameter is ignored',
    source: api('InvalidArgument'),
  },
  expiry: {
    rule: 'an object expires at the midnight after its days, and says when',
    source: `${GUIDE}/intro-lifecycle-rules`,
  },
  'expiry-exact': {
    rule: 'what has expired is gone at that moment',
    source: 'AWS removes it some time later; a test that waits for it would never end',
    isOurChoice: true,
  },
  'expiry-rules': {
    rule: 'of a template’s lifecycle, expirations by age and prefix count, and one by tag, size or date is refused',
    source: 'transitions, old versions and unfinished uploads are of no object that is here',
    isOurChoice: true,
  },
  versions: {
    rule: 'a versioned bucket keeps the newest version alone',
    source: 'nothing here reads an older one; a request for a version is refused',
    isOurChoice: true,
  },
  address: {
    rule: 'a bucket is named in the host or in the path',
    source: `${GUIDE}/VirtualHosting`,
  },
  'address-encoded': {
    rule: 'a path that is not percent-encoded UTF-8 is refused',
    source: api('InvalidURI'),
  },
  'no-such': {
    rule: 'a missing key and a missing bucket each have their error, and a head only its status',
    source: api('NoSuchKey, NoSuchBucket'),
  },
  'not-implemented': {
    rule: 'what is not served is NotImplemented, in XML',
    source: 'what is not emulated is never ignored',
    isOurChoice: true,
  },
  kept: {
    rule: 'objects of a kept folder are there at the next start',
    source: 'AWS’s do not go away either',
    isOurChoice: true,
  },
} as const satisfies Rules;
