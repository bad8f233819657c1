/** Large enough that making it is seldom, small enough for a function's memory. */
const SLAB_BYTES = 1024 * 1024;
/** @source UTF-8: a UTF-16 unit takes three bytes at most. */
const BYTES_PER_UNIT_MAX = 3;

/**
 * An encoder of many texts, one behind the other in shared memory: an array buffer for each costs
 * more than the encoding.
 */
export interface TextEncoding {
  /** @returns bytes that hold until the next `reuse`, and may not be changed. */
  encode(text: string): Uint8Array<ArrayBuffer>;
  /** Give back all that was encoded: its memory is written over. */
  reuse(): void;
}

export function textEncoding(): TextEncoding {
  const encoder = new TextEncoder();
  const slabs: Uint8Array<ArrayBuffer>[] = [];
  let used = 0;
  let rest = new Uint8Array(0);

  function nextSlab(bytes: number): Uint8Array<ArrayBuffer> {
    const known = slabs[used];
    const fits = known !== undefined && known.byteLength >= bytes;
    const slab = fits ? known : new Uint8Array(Math.max(SLAB_BYTES, bytes));
    slabs[used] = slab;
    used++;
    return slab;
  }

  return {
    encode(text) {
      const bytesMax = text.length * BYTES_PER_UNIT_MAX;
      if (rest.length < bytesMax) rest = nextSlab(bytesMax);
      const { written } = encoder.encodeInto(text, rest);
      const bytes = rest.subarray(0, written);
      rest = rest.subarray(written);
      return bytes;
    },
    reuse() {
      used = 0;
      rest = rest.subarray(0, 0);
    },
  };
}
