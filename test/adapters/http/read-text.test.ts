import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { AnswerFault } from '#adapters/http/answer-fault';
import { readText } from '#adapters/http/read-text';

const IDLE_MS = 10_000;
afterEach(() => void vi.useRealTimers());

interface Told {
  pulledBytes: number;
  /** The body came to its end, or was closed by its reader. */
  isOver: boolean;
}

/** A body in pieces, each made only when it is asked for. */
function bodyOf(bytes: Uint8Array, sizes: readonly number[], contentType: string) {
  const told: Told = { pulledBytes: 0, isOver: false };
  let piece = 0;
  const stream = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        const end = told.pulledBytes + (sizes[piece++ % sizes.length] ?? 1);
        controller.enqueue(bytes.slice(told.pulledBytes, end));
        told.pulledBytes = Math.min(end, bytes.byteLength);
        if (told.pulledBytes < bytes.byteLength) return;
        told.isOver = true;
        controller.close();
      },
      cancel: () => void (told.isOver = true),
    },
    { highWaterMark: 0 },
  );
  return { told, response: new Response(stream, { headers: { 'content-type': contentType } }) };
}

async function read(response: Response, bytesMax: number) {
  try {
    return { text: await readText(response, { bytesMax, idleMs: IDLE_MS }) };
  } catch (error) {
    if (!(error instanceof AnswerFault)) throw error;
    return { kind: error.kind, detail: error.message };
  }
}

const whole = async (bytes: Uint8Array, contentType = 'application/json') =>
  read(bodyOf(bytes, [7], contentType).response, 1_000_000);

function swapped(bytes: Buffer): Buffer {
  return Buffer.from(bytes).swap16();
}

const marked = (text: string) => `\ufeff${text}`;
const ENCODINGS = {
  'utf-8': (text: string) => Buffer.from(text),
  'utf-8 with a mark': (text: string) => Buffer.from(marked(text)),
  'utf-16le with a mark': (text: string) => Buffer.from(marked(text), 'utf16le'),
  'utf-16be with a mark': (text: string) => swapped(Buffer.from(marked(text), 'utf16le')),
  'charset=utf-16le': (text: string) => Buffer.from(text, 'utf16le'),
  'charset="UTF-16BE"': (text: string) => swapped(Buffer.from(text, 'utf16le')),
  'charset=ISO-8859-1': (text: string) => Buffer.from(text, 'latin1'),
} as const;

const anyText = fc.string({ unit: 'binary', maxLength: 60 });
const latinText = fc.string({
  unit: fc.integer({ min: 0xa0, max: 0xff }).map((code) => String.fromCharCode(code)),
});
const encoded = fc.constantFrom(...Object.keys(ENCODINGS)).chain((name) =>
  fc.record({
    name: fc.constant(name as keyof typeof ENCODINGS),
    // JSON begins with a character of ASCII, whatever follows.
    text: (name.endsWith('8859-1') ? latinText : anyText).map((text) => `"${text}`),
  }),
);
const sizes = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 5 });

describe('a body', () => {
  test('is read as it was written, in any encoding, compression and pieces, or refused by name', async () => {
    const limits = fc.integer({ min: 1, max: 250 });
    const layers = fc.integer({ min: 0, max: 3 });
    await fc.assert(
      fc.asyncProperty(encoded, sizes, limits, layers, async ({ name, text }, cut, max, depth) => {
        const plain = ENCODINGS[name](text);
        let bytes: Buffer = plain;
        for (let layer = 0; layer < depth; layer++) bytes = gzipSync(bytes);
        const { told, response } = bodyOf(bytes, cut, `application/json; ${name}`);
        const outcome = await read(response, max);
        expect(told.isOver).toBe(true);
        if (depth > 2) {
          const detail = 'the answer is gzip within gzip, more than twice';
          expect(outcome).toEqual({ kind: 'refused', detail });
        } else if (plain.byteLength > max) {
          const detail = `the answer is larger than ${max} bytes: ask for smaller pages (source.pageSize)`;
          expect(outcome).toEqual({ kind: 'refused', detail });
          if (depth === 0) expect(told.pulledBytes).toBeLessThanOrEqual(max + Math.max(...cut));
        } else {
          expect(outcome).toEqual({ text });
        }
      }),
      { numRuns: 300 },
    );
  });

  test('of any bytes at all is the text they spell, or refused', () =>
    fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 12 }), async (bytes) => {
        fc.pre(bytes[0] !== 0x1f && bytes[0] !== 0xef && (bytes[0] ?? 0) < 0xfe);
        const outcome = await whole(bytes);
        if (!('text' in outcome)) {
          const detail = 'the source answered text that is not UTF-8';
          expect(outcome).toEqual({ kind: 'refused', detail });
          return;
        }
        // A character that is cut off at the end is left out.
        const spelt = Buffer.from(outcome.text);
        expect(Buffer.from(bytes).subarray(0, spelt.byteLength)).toEqual(spelt);
        expect(bytes.byteLength - spelt.byteLength).toBeLessThan(4);
      }),
    ));

  test('of very many pieces keeps every byte in its place', async () => {
    const text = JSON.stringify(Array.from({ length: 60_000 }, (_, at) => at));
    const { response } = bodyOf(Buffer.from(text), [97, 3], 'application/json');
    expect(await read(response, text.length)).toEqual({ text });
  });

  test('POLL-36: loses its byte order mark', async () => {
    expect(await whole(Buffer.from('efbbbf7b226974656d73223a5b5d7d', 'hex'))).toEqual({
      text: '{"items":[]}',
    });
  });

  test('in windows-1252 has that table’s signs, and a mark outranks a charset', async () => {
    const type = 'application/json; charset="windows-1252"';
    expect(await whole(Buffer.from([0x22, 0x80, 0x22]), type)).toEqual({ text: '"€"' });
    expect(await whole(Buffer.from(marked('"€"')), type)).toEqual({ text: '"€"' });
  });

  test('in US-ASCII that holds UTF-8 is read as that', async () => {
    const type = 'application/json; charset=US-ASCII';
    expect(await whole(Buffer.from('"é"'), type)).toEqual({ text: '"é"' });
    expect(await whole(Buffer.from('"\u00e9"', 'latin1'), type)).toMatchObject({ kind: 'refused' });
  });

  test.each([
    ['utf-32', 'utf-32'],
    ['"no such\tthing"', 'no'],
    ['<b>&', '?b??'],
  ])('in charset %s is refused, the name made harmless', async (charset, name) => {
    expect(await whole(Buffer.from('[]'), `application/json; charset=${charset}`)).toEqual({
      kind: 'refused',
      detail: `the source answered in charset ${name}, which is not known`,
    });
  });

  test('in half a surrogate pair of UTF-16 is refused', async () => {
    const bytes = Buffer.from(marked('["\ud800"]'), 'utf16le');
    expect(await whole(bytes)).toEqual({
      kind: 'refused',
      detail: 'the source answered text that is not UTF-16LE',
    });
  });
});

describe('gzip without a header', () => {
  test('POLL-35: is never taken for text', async () => {
    expect(await whole(gzipSync('{"items":[]}'))).toEqual({ text: '{"items":[]}' });
  });

  test('that is cut short anywhere, or damaged, is worth another try', async () => {
    const bytes = gzipSync(JSON.stringify(Array.from({ length: 40 }, (_, at) => at * 7919)));
    const broken = {
      kind: 'unavailable',
      detail: "the answer's compression is broken or cut short",
    };
    for (let length = 2; length < bytes.byteLength; length++) {
      expect(await whole(bytes.subarray(0, length))).toEqual(broken);
    }
    bytes[bytes.byteLength - 6]! ^= 1;
    expect(await whole(bytes)).toEqual(broken);
  });

  test('that swells a thousandfold is read no further than its limit', async () => {
    // Of many members, three gigabytes in all.
    const bomb = Buffer.concat(Array(100).fill(gzipSync(Buffer.alloc(30_000_000, ' '))));
    const { told, response } = bodyOf(bomb, [500], 'application/json');
    expect(await read(response, 100_000)).toMatchObject({ kind: 'refused' });
    expect(told.isOver).toBe(true);
    expect(told.pulledBytes).toBeLessThan(bomb.byteLength / 20);
  });
});

describe('a pause', () => {
  test('ends an answer that has begun once it is too long, however long the answer took before', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
    const writer = writable.getWriter();
    const outcome = read(new Response(readable), 1_000);
    for (const piece of ['[1', ',2', ',3']) {
      await writer.write(Buffer.from(piece));
      await vi.advanceTimersByTimeAsync(IDLE_MS - 1);
    }
    const closed = writer.closed.catch(() => 'closed');
    await vi.advanceTimersByTimeAsync(1);
    expect(await outcome).toEqual({
      kind: 'unavailable',
      detail: 'the answer paused for over 10000 ms',
    });
    expect(await closed).toBe('closed');
    expect(vi.getTimerCount()).toBe(0);
  });

  test('is no longer waited for once the answer is whole', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    expect(await whole(gzipSync('[]'))).toEqual({ text: '[]' });
    expect(await whole(gzipSync(gzipSync(gzipSync('[]'))))).toMatchObject({ kind: 'refused' });
    expect(vi.getTimerCount()).toBe(0);
  });
});
