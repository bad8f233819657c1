/** Which requests a demo source answers badly: its seed and the request's number decide. */
import { drawBelow, seeded } from './seeded.ts';

export type Fault = 'wait-seconds' | 'wait-date' | 'unavailable' | 'dropped';

export type DecideFault = (requestNumber: number) => Fault | undefined;

/** Shares of all requests, beside one sure fault of each kind early on. */
const SHARES: readonly (readonly [Fault, number])[] = [
  ['wait-seconds', 0.01],
  ['wait-date', 0.01],
  ['unavailable', 0.02],
  ['dropped', 0.015],
];
/** Sure faults lie this many requests apart, so that none hides another. */
const SURE_STRIDE = 3;

/**
 * Plan a source's faults: one of each kind within the first dozen requests, then by chance.
 *
 * @example planFaults(7)(0); // undefined: the first request is always answered
 */
export function planFaults(seed: number): DecideFault {
  const draw = seeded(seed ^ 0x0fa17);
  const kinds = SHARES.map(([kind]) => kind);
  const sure = new Map<number, Fault>();
  for (let slot = 1; kinds.length > 0; slot += 1) {
    const [kind] = kinds.splice(drawBelow(draw, kinds.length), 1);
    if (kind !== undefined) sure.set(slot * SURE_STRIDE - drawBelow(draw, 2), kind);
  }
  return (requestNumber) => sure.get(requestNumber) ?? byChance(seed, requestNumber);
}

function byChance(seed: number, requestNumber: number): Fault | undefined {
  if (requestNumber === 0) return undefined;
  let left = seeded(seed * 7_919 + requestNumber)();
  for (const [kind, share] of SHARES) {
    left -= share;
    if (left < 0) return kind;
  }
  return undefined;
}
