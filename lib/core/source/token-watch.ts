/**
 * Sees that page tokens go round in a circle, with two tokens of memory however long the run.
 *
 * @source R. P. Brent, An improved Monte Carlo factorization algorithm (1980): cycle detection.
 */
export interface TokenWatch {
  readonly anchor: string;
  /** Tokens seen since the anchor was dropped. */
  readonly steps: number;
  /** Tokens until the anchor moves: a power of two. */
  readonly stride: number;
}

/** Start watching at the first token of a run. */
export function watchFrom(token: string): TokenWatch {
  return { anchor: token, steps: 0, stride: 1 };
}

/** Take the next token; undefined when it closes a circle. A circle is found by its third round. */
export function watchNext(watch: TokenWatch, token: string): TokenWatch | undefined {
  if (token === watch.anchor) return undefined;
  const steps = watch.steps + 1;
  return steps === watch.stride
    ? { anchor: token, steps: 0, stride: watch.stride * 2 }
    : { ...watch, steps };
}
