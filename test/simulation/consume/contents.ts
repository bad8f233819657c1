/** What the records of a schedule hold. */
import type { StreamEvent } from '#core/record/stream-event';
import type { Dice } from '#test/simulation/dice';

/** One version of one key, or bytes that are none. */
export interface Content {
  /** Its place among the schedule's contents; an event carries it in its data. */
  readonly number: number;
  /** Undefined: poison. */
  readonly key: string | undefined;
  /** Of two versions of a key the one of higher rank stands; every rank is another. */
  readonly rank: number;
  /** More than the table takes, as the code that is deployed first says. */
  readonly isLarge: boolean;
  readonly bytes: Uint8Array;
}

export interface Mixture {
  readonly keys: number;
  /** Once in so many; 0 never. */
  readonly poison: number;
  readonly large: number;
}

const POISON: readonly (string | Uint8Array)[] = [
  '',
  '%%%not json',
  '[1,2]',
  '{"specversion":"1.0","subject":""}',
  '{"specversion":"1.0","subject":"k1","type":"orders.upsert"}',
  Uint8Array.of(0x7b, 0xff, 0x7d),
];
const LATE_MAX = 3;

/** Versions rise, but for some that come late; alike keys, and a time that several share. */
export function randomContents(count: number, mixture: Mixture, dice: Dice): readonly Content[] {
  const once = (of: number) => of > 0 && dice.once(of);
  const newest = new Map<string, number>();
  return Array.from({ length: count }, (_, number) => {
    if (once(mixture.poison)) {
      const bytes = Buffer.from(dice.pick(POISON));
      return { number, key: undefined, rank: -1, isLarge: false, bytes };
    }
    const at = dice.below(mixture.keys);
    const key = at % 2 === 0 ? `k${at}` : `K${at - 1}`;
    const version = Math.max(1, (newest.get(key) ?? 7) + 1 - dice.below(LATE_MAX + 1));
    newest.set(key, Math.max(version, newest.get(key) ?? 0));
    const isLarge = once(mixture.large);
    const isDeleted = dice.once(5);
    const event = eventOf({ key, version, number, isDeleted, isLarge });
    const bytes = Buffer.from(JSON.stringify(event));
    return { number, key, rank: version * 1_000 + number, isLarge, bytes };
  });
}

function eventOf(one: {
  readonly key: string;
  readonly version: number;
  readonly number: number;
  readonly isDeleted: boolean;
  readonly isLarge: boolean;
}): StreamEvent {
  const { key, version, number, isDeleted, isLarge } = one;
  return {
    specversion: '1.0',
    id: `${key}@${version}#${number}`,
    source: 'penstock/orders',
    type: isDeleted ? 'orders.delete' : 'orders.upsert',
    subject: key,
    time: '2031-06-12T16:00:00.000Z',
    datacontenttype: 'application/json',
    version: String(version).padStart(38, '0'),
    observed: `0000000001-${String(number).padStart(10, '0')}`,
    data: { number, isLarge },
  };
}
