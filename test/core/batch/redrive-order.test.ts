import fc from 'fast-check';
import { expect, test } from 'vitest';
import { redriveOrder } from '#core/batch/redrive-order';
import type { SequenceNumber } from '#core/record/records';

const position = fc
  .record({ shard: fc.bigInt(0n, 10n ** 14n), sequence: fc.bigInt(0n, 10n ** 57n) })
  .map(({ shard, sequence }) => ({
    shard,
    sequence,
    position: {
      shardId: `shardId-${String(shard).padStart(12, '0')}`,
      sequenceNumber: String(sequence) as SequenceNumber,
    },
  }));

test('the older shard comes first, then the lower number, however many digits they have', () =>
  fc.assert(
    fc.property(fc.array(position, { maxLength: 12 }), (entries) => {
      const places = redriveOrder(entries).map(
        ({ shard, sequence }) => shard * 10n ** 60n + sequence,
      );
      expect(places).toEqual(places.toSorted((one, other) => (one < other ? -1 : 1)));
      expect(places).toHaveLength(entries.length);
    }),
  ));
