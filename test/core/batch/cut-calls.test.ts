import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cutCalls, fitsCall } from '#core/batch/cut-calls';
import { consumerFunction } from '#adapters/kinesis/consumer-function';
import type { SequenceNumber, StoredRecord } from '#core/record/records';

const LIMITS = { recordsMax: 4, bytesMax: 40_000 };

const anyRecord: fc.Arbitrary<StoredRecord> = fc.record({
  shardId: fc.constantFrom('shardId-000000000000', 'shardId-000000000001'),
  sequenceNumber: fc.constant('49'.repeat(28) as SequenceNumber),
  partitionKey: fc.string({ unit: 'binary', minLength: 1, maxLength: 256 }),
  data: fc
    .oneof(fc.nat({ max: 30 }), fc.integer({ min: 3_000, max: 45_000 }))
    .map((bytes) => Buffer.alloc(bytes)),
  arrivalTimeMs: fc.constant(1_900_000_000_123),
});
const run = fc.array(anyRecord, { maxLength: 12 });

test('every record is in one call, in order', () =>
  fc.assert(
    fc.property(run, (records) => {
      expect(cutCalls(records, LIMITS).flat()).toEqual(records);
    }),
  ));

test('a call is of one shard, and no longer than it may be', () =>
  fc.assert(
    fc.property(run, (records) => {
      for (const call of cutCalls(records, LIMITS)) {
        expect(call.length).toBeGreaterThan(0);
        expect(call.length).toBeLessThanOrEqual(LIMITS.recordsMax);
        expect(new Set(call.map(({ shardId }) => shardId)).size).toBe(1);
      }
    }),
  ));

test('what goes over the wire is within the limit, unless one record is above it', () =>
  fc.assert(
    fc.asyncProperty(run, async (records) => {
      for (const call of cutCalls(records, LIMITS)) {
        const bytes = await wireBytes(call);
        if (call.every((record) => fitsCall(record, LIMITS))) {
          expect(bytes).toBeLessThanOrEqual(LIMITS.bytesMax);
        } else {
          expect(call.length).toBe(1);
        }
      }
    }),
  ));

/** What the adapter truly sends. */
async function wireBytes(call: readonly StoredRecord[]): Promise<number> {
  let bytes = 0;
  const send = consumerFunction(async ({ body = '' }) => {
    bytes = Buffer.byteLength(body);
    return Response.json({ ends: call.map(() => 'written') });
  }, 'consume');
  await send(call, 'redrive');
  return bytes;
}
