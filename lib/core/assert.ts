/** An error of ours: an invariant does not hold. It is never turned into an outcome. */
export class Defect extends Error {
  override readonly name = 'Defect';
}

/**
 * State an invariant in words.
 *
 * @throws {Defect} when it does not hold.
 * @example assert(1 < 2, 'one is less than two');
 */
export function assert(holds: boolean, invariant: string): asserts holds {
  if (!holds) throw new Defect(`broken invariant: ${invariant}`);
}
