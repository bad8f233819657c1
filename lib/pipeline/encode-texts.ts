/** Large enough that making it is seldom, small enough to be thrown away for the last few texts. */
const SLAB_BYTES = 256 * 1024;
/** @source UTF-8: a UTF-16 unit takes three bytes at most. */
const BYTES_PER_UNIT_MAX = 3;

/**
 * Make an encoder of many texts, one behind the other in shared memory: an array buffer for each
 * costs more than the encoding. None of them may be changed, and one that is kept keeps its
 * neighbours.
 */
export function textEncoder(): (text: string) => Uint8Array<ArrayBuffer> {
  const encoder = new TextEncoder();
  let slab = new Uint8Array(0);
  return (text) => {
    const needed = text.length * BYTES_PER_UNIT_MAX;
    if (slab.length < needed) slab = new Uint8Array(Math.max(SLAB_BYTES, needed));
    const { written } = encoder.encodeInto(text, slab);
    const bytes = slab.subarray(0, written);
    slab = slab.subarray(written);
    return bytes;
  };
}
