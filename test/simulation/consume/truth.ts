/** What is so in the world of a schedule, found without any code of ours. */
import type { StreamEvent } from '#core/record/stream-event';
import type { CheckpointPlace } from '#ports/checkpoint-store';
import type { SetAside } from '#ports/quarantine';
import type { Content } from './contents.ts';
import type { Delivered, SimulatedShards } from './simulated-shards.ts';

export interface Truth {
  readonly note: (what: string) => void;
  /** A law that does not hold; the first is thrown at the end, as ours would catch it. */
  readonly check: (holds: boolean, law: string) => void;
  /** The content that an event was made of. */
  contentOf(event: StreamEvent): Content;
  /** Looks at the table after a write of a key. */
  wrote(key: string): void;
  kept(refused: SetAside): void;
  giveUp(records: readonly Delivered[]): void;
  readonly givenUp: ReadonlySet<Delivered>;
  /** Takes what a handler did. */
  handed(events: readonly StreamEvent[]): void;
  /** The record's version stands for its key, or a newer one does; or a handler did it. */
  isDone(delivered: Delivered): boolean;
  isKept(delivered: Delivered): boolean;
  mayBeKept(delivered: Delivered): boolean;
  /** Whether a checkpoint may say so. */
  reaches(shardId: string, upTo: bigint, reach: CheckpointPlace['reach']): boolean;
  /** The laws of a whole schedule. */
  judge(): void;
  /** @throws {Error} the first law that did not hold. */
  end(): void;
}

export function truthOf(world: {
  readonly contents: readonly Content[];
  readonly shards: SimulatedShards;
  readonly standing: ReadonlyMap<string, StreamEvent>;
  readonly note: (what: string) => void;
}): Truth {
  const { contents, shards, standing, note } = world;
  /** By the numbers of their contents. */
  const done = new Set<number>();
  const ranks = new Map<string, number>();
  const keptAt = new Map<string, SetAside>();
  const givenUp = new Set<Delivered>();
  let broken: Error | undefined;

  const check = (holds: boolean, law: string): void => {
    if (!holds) broken ??= new Error(law);
  };
  const placeOf = ({ record }: Delivered) => `${record.shardId}-${record.sequenceNumber}`;
  const contentOf = (event: StreamEvent): Content => {
    const found = contents[Number(event.data['number'])];
    if (found === undefined) throw new Error('an event was made of a content');
    return found;
  };
  const isDone = ({ content: { key, rank, number } }: Delivered): boolean =>
    done.has(number) || (key !== undefined && (ranks.get(key) ?? -1) >= rank);
  const isKept = (one: Delivered): boolean => keptAt.has(placeOf(one));
  const isSettled = (one: Delivered): boolean => isDone(one) || isKept(one) || givenUp.has(one);

  return {
    note,
    check,
    contentOf,
    isDone,
    handed(events) {
      for (const event of events) done.add(contentOf(event).number);
    },
    isKept,
    givenUp,
    mayBeKept: ({ content }) => content.key === undefined || content.isLarge,
    giveUp(records) {
      for (const one of records) givenUp.add(one);
    },
    wrote(key) {
      const now = standing.get(key);
      if (now === undefined) return;
      const { rank } = contentOf(now);
      check(rank >= (ranks.get(key) ?? -1), 'law 1: what stands gives way only to newer');
      ranks.set(key, rank);
    },
    kept(refused) {
      const before = keptAt.get(refused.place);
      check(
        before === undefined || before.reason === refused.reason,
        'law 5: a record rests in one place',
      );
      if (before !== undefined) note('kept again in its place');
      keptAt.set(refused.place, refused);
    },
    reaches(shardId, upTo, reach) {
      const records = shards.all.find(({ id }) => id === shardId)?.records ?? [];
      return records.every((one) => {
        const at = BigInt(one.record.sequenceNumber);
        const isMeant = reach === 'frontier' ? at <= upTo : at === upTo;
        return !isMeant || isSettled(one);
      });
    },
    judge() {
      const delivered = shards.all.flatMap(({ records }) => records);
      for (const one of delivered) {
        check(isSettled(one), 'P1: each record stands, is outranked, kept aside or given up');
      }
      for (const [key, event] of standing) judgeStanding(key, event, delivered);
      for (const refused of keptAt.values()) judgeKept(refused, delivered);
    },
    end() {
      if (broken) throw broken;
    },
  };

  function judgeStanding(key: string, event: StreamEvent, delivered: readonly Delivered[]): void {
    const ofKey = delivered.filter(({ content }) => content.key === key);
    const { rank, bytes } = contentOf(event);
    check(
      ofKey.some(({ content }) => content.rank === rank),
      'law 1: what stands came in the stream',
    );
    check(JSON.stringify(event) === Buffer.from(bytes).toString(), 'law 1: it stands as it came');
    const newest = ofKey
      .filter((one) => !isKept(one) && !givenUp.has(one))
      .reduce((most, { content }) => Math.max(most, content.rank), -1);
    check(rank >= newest, 'law 1: the newest stands');
    if (event.type.endsWith('.delete')) note('a tombstone stands');
  }

  function judgeKept(refused: SetAside, delivered: readonly Delivered[]): void {
    const one = delivered.find((other) => placeOf(other) === refused.place);
    const { data, ...origin } = one?.record ?? { data: undefined };
    check(one !== undefined, 'law 5: what is kept came in the stream');
    check(data === refused.payload, 'law 5: it is kept as it came');
    check(JSON.stringify(origin) === JSON.stringify(refused.origin), 'law 5: and whence it came');
  }
}
