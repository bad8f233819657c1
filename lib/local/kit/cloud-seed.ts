/** Everything of a cloud that is left to chance, drawn from one seed or from none. */
import type { Chance, NewId } from '#local/contracts';
import { idsOf, RANDOM_ID } from '#local/new-id';
import { seededChance } from './seeded-chance.ts';

export interface CloudSeed {
  /** Of the delays of retries. */
  readonly chance: Chance;
  /** Which of what a fault fits is struck. */
  readonly faults: Chance;
  readonly newId: NewId;
  /** What handlers in this process draw from; absent: the machine's own. */
  readonly handlers?: { readonly chance: Chance; readonly newId: NewId };
}

export function cloudSeed(seed: number | string | undefined, chance?: Chance): CloudSeed {
  if (seed === undefined) {
    const { random } = Math;
    return { chance: chance ?? random, faults: chance ?? random, newId: RANDOM_ID };
  }
  const ofPurpose = (purpose: string): Chance => seededChance(seed, purpose);
  return {
    chance: chance ?? ofPurpose('delays'),
    faults: ofPurpose('faults'),
    newId: idsOf(ofPurpose('ids')),
    handlers: { chance: ofPurpose('handlers'), newId: idsOf(ofPurpose('handlers’ ids')) },
  };
}
