/** What no source may do to its poller: servers that never stop, never go on, or swell. */
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import {
  constants,
  createBrotliCompress,
  createGzip,
  createZstdCompress,
  gzipSync,
} from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { httpPageSource } from '#adapters/http/page-source';
import type { HttpSourceOptions } from '#adapters/http/page-source';
import { systemClock } from '#adapters/system/clock';
import { serve } from './scripted-server.ts';

const LIMIT = 300_000;
const FOREVER_MS = 600_000;
/** @returns the answer, once the server has seen its connection close. */
async function ask(
  answer: (response: ServerResponse) => void,
  { timeoutMs = FOREVER_MS, ...more }: Partial<HttpSourceOptions> & { timeoutMs?: number } = {},
) {
  const closed: Promise<unknown>[] = [];
  const server = await serve((response) => {
    closed.push(once(response, 'close'));
    answer(response);
  });
  const { url } = server;
  const source = httpPageSource({ url, authorize: undefined, clock: systemClock, ...more });
  const page = await source.fetchPage({ query: {}, timeoutMs });
  await Promise.all(closed);
  return page;
}

/** Spaces for as long as anybody reads; JSON may begin with them. */
function spaces(): Readable {
  return Readable.from(pieces());
}

function* pieces() {
  const piece = Buffer.alloc(64 * 1024, ' ');
  for (;;) yield piece;
}

describe('a body that is too large is left at the limit, and its connection closed:', () => {
  const refused = {
    kind: 'refused',
    detail: `the answer is larger than ${LIMIT} bytes: ask for smaller pages (source.pageSize)`,
  };

  test.each([
    ['an endless one', {}],
    ['a gigabyte', { 'content-length': '1073741824' }],
  ])('%s', async (_name, headers) => {
    const outcome = await ask((response) => spaces().pipe(response.writeHead(200, headers)), {
      bodyBytesMax: LIMIT,
    });
    expect(outcome).toEqual(refused);
  });

  test.each([
    ['gzip', () => createGzip()],
    ['br', () => createBrotliCompress({ params: { [constants.BROTLI_PARAM_QUALITY]: 1 } })],
    ['zstd', () => createZstdCompress()],
  ])('one that swells out of %s', async (encoding, compress) => {
    const headers = { 'content-encoding': encoding };
    const outcome = await ask(
      (response) => spaces().pipe(compress()).pipe(response.writeHead(200, headers)),
      { bodyBytesMax: LIMIT },
    );
    expect(outcome).toEqual(refused);
  });

  test('one that swells out of gzip which no header announces', async () => {
    const outcome = await ask((response) => spaces().pipe(createGzip()).pipe(response), {
      bodyBytesMax: LIMIT,
    });
    expect(outcome).toEqual(refused);
  });
});

describe('a source that takes its time', () => {
  test('byte by byte, never pausing for long, has the time of one request', async () => {
    const outcome = await ask(
      (response) => {
        const drip = setInterval(() => response.write(' '), 3);
        response.once('close', () => clearInterval(drip));
      },
      { timeoutMs: 120 },
    );
    const detail = 'the answer was not whole after 120 ms';
    expect(outcome).toEqual({ kind: 'unavailable', detail });
  });

  test.each([
    ['in the middle', Buffer.from('{"data":[')],
    ['in the middle of gzip', gzipSync('{"data":[]}').subarray(0, 12)],
    ['after its headers', undefined],
  ])('and stops %s is given up after one pause', async (_name, begun) => {
    const outcome = await ask(
      (response) => {
        response.flushHeaders();
        if (begun !== undefined) response.write(begun);
      },
      { idleMs: 40 },
    );
    const detail = 'the answer paused for over 40 ms';
    expect(outcome).toEqual({ kind: 'unavailable', detail });
  });
});

describe('compression', () => {
  const body = JSON.stringify({ data: Array.from({ length: 500 }, (_, at) => at) });

  test.each([
    ['twice under one header', 'gzip', gzipSync(gzipSync(body))],
    ['twice under two', 'gzip, gzip', gzipSync(gzipSync(body))],
    ['three times under one', 'gzip', gzipSync(gzipSync(gzipSync(body)))],
    ['under no header that means it', 'identity', gzipSync(body)],
  ])('%s is undone', async (_name, encoding, bytes) => {
    const outcome = await ask((response) =>
      response.writeHead(200, { 'content-encoding': encoding }).end(bytes),
    );
    expect(outcome).toMatchObject({ kind: 'page', body: JSON.parse(body) });
  });

  test.each([
    ['gzip', Buffer.from(body)],
    ['br', Buffer.from(body)],
    ['zstd', Buffer.from(body)],
  ])(
    'that a header claims and no byte shows (%s) is worth another try',
    async (encoding, bytes) => {
      const outcome = await ask((response) =>
        response.writeHead(200, { 'content-encoding': encoding }).end(bytes),
      );
      const detail = "the answer's compression is broken or cut short";
      expect(outcome).toEqual({ kind: 'unavailable', detail });
    },
  );

  test('cut short by a proxy that hides it leaves JSON that breaks off', async () => {
    const bytes = gzipSync(body).subarray(0, -30);
    const outcome = await ask((response) =>
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(bytes),
    );
    expect(outcome).toMatchObject({
      kind: 'unavailable',
      detail: expect.stringMatching(/^the answer broke off after \d+ characters$/),
    });
  });
});
