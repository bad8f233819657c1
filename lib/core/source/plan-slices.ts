/** Cuts a stretch of history into pieces that are read one by one. */
import { assert } from '#core/assert';

/** Half-open: `[fromMs, toMs)`. */
export interface Slice {
  readonly fromMs: number;
  readonly toMs: number;
}

/**
 * Slices of one length from the beginning on; the last is as long as what is left.
 *
 * @throws {Defect} where nothing lies between, or a slice has no length.
 * @example planSlices({ fromMs: 0, toMs: 5, sliceMs: 2 }).length; // 3
 */
export function planSlices({
  fromMs,
  toMs,
  sliceMs,
}: Slice & { readonly sliceMs: number }): readonly Slice[] {
  assert(sliceMs > 0, 'a slice has a length');
  assert(fromMs < toMs, 'history ends after its beginning');
  return Array.from({ length: Math.ceil((toMs - fromMs) / sliceMs) }, (_, at) => ({
    fromMs: fromMs + at * sliceMs,
    toMs: Math.min(toMs, fromMs + (at + 1) * sliceMs),
  }));
}
