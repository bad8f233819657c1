import type { EventOutcome } from '#core/record/to-event';

/** Large enough that making it is seldom, small enough for a function's memory. */
const SLAB_BYTES = 1024 * 1024;
/** Most pages of most polls need no more. */
const FIRST_SLAB_BYTES = 64 * 1024;
/** @source UTF-8: a UTF-16 unit takes three bytes at most. */
const BYTES_PER_UNIT_MAX = 3;
const CLOSING_BRACE = 0x7d;

/**
 * An encoder of many texts, one behind the other in shared memory: an array buffer for each costs
 * more than the encoding.
 */
export interface TextEncoding {
  /**
   * @param last bytes that stand behind the text, and then a closing brace.
   * @returns bytes that hold until the next `reuse`, and may not be changed.
   */
  encode(text: string, last?: Uint8Array): Uint8Array<ArrayBuffer>;
  /** Give back all that was encoded: its memory is written over. */
  reuse(): void;
}

export function textEncoding(): TextEncoding {
  const encoder = new TextEncoder();
  const slabs: Uint8Array<ArrayBuffer>[] = [];
  let used = 0;
  let slab = new Uint8Array(0);
  let end = 0;

  function nextSlab(bytes: number): void {
    const known = slabs[used];
    const fits = known !== undefined && known.byteLength >= bytes;
    const least = used === 0 ? FIRST_SLAB_BYTES : SLAB_BYTES;
    slab = fits ? known : new Uint8Array(Math.max(least, bytes));
    slabs[used] = slab;
    used++;
    end = 0;
  }

  return {
    encode(text, last) {
      const bytesMax =
        text.length * BYTES_PER_UNIT_MAX + (last === undefined ? 0 : last.length + 1);
      if (slab.length - end < bytesMax) nextSlab(bytesMax);
      const start = end;
      end += encoder.encodeInto(text, slab.subarray(start)).written;
      if (last !== undefined) {
        slab.set(last, end);
        end += last.length;
        slab[end++] = CLOSING_BRACE;
      }
      return slab.subarray(start, end);
    },
    reuse() {
      used = 0;
      end = slab.length;
    },
  };
}

/** The whole event, as it goes into the stream. */
export function encodeEvent(
  { head, data }: Extract<EventOutcome, { kind: 'event' }>,
  texts: TextEncoding,
): Uint8Array<ArrayBuffer> {
  return typeof data === 'string' ? texts.encode(`${head}${data}}`) : texts.encode(head, data);
}
