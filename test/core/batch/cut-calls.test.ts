import fc from 'fast-check';
import { expect, test } from 'vitest';
import { CALL_BYTES_MAX, cutCalls, fitsCall } from '#core/batch/cut-calls';
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

test('a record counts its base64, its key six times, and what stands around; a call a little more', () => {
  const record = {
    shardId: 'shardId-000000000000',
    sequenceNumber: '49' as SequenceNumber,
    partitionKey: 'ab',
    data: Buffer.alloc(4),
    arrivalTimeMs: 0,
  };
  const [call, one] = [256, 1_024 + 8 + 12];
  expect(fitsCall(record, { recordsMax: 9, bytesMax: call + one })).toBe(true);
  expect(fitsCall(record, { recordsMax: 9, bytesMax: call + one - 1 })).toBe(false);
  const two = [record, record];
  expect(cutCalls(two, { recordsMax: 9, bytesMax: call + 2 * one })).toHaveLength(1);
  expect(cutCalls(two, { recordsMax: 9, bytesMax: call + 2 * one - 1 })).toHaveLength(2);
});

test('a function is called with 6 MiB at most', () => {
  expect(CALL_BYTES_MAX).toBe(6_291_456);
});

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
