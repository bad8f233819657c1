import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodeChunk, encodeChunk } from '#local/emulators/kinesis/record-chunk';

const record = fc.record({
  partitionKey: fc.string({ minLength: 1, maxLength: 20, unit: 'binary' }),
  data: fc.uint8Array({ maxLength: 300 }),
});

test('a chunk gives back what it was made of, byte for byte, in order', () => {
  fc.assert(
    fc.property(fc.array(record, { maxLength: 20 }), (records) => {
      const whole = records.map(({ partitionKey, data }) => ({
        // What UTF-8 cannot say is replaced, as it is on its way over the wire.
        partitionKey: Buffer.from(partitionKey).toString(),
        data: [...data],
        bytes: Buffer.from(partitionKey).byteLength + data.byteLength,
      }));
      const chunk = Uint8Array.from(encodeChunk(records));
      const found = [...decodeChunk(chunk)].map((one) => ({ ...one, data: [...one.data] }));
      expect(found).toEqual(whole);
    }),
  );
});

test('a chunk may be larger than any before', () => {
  const data = new Uint8Array(3_000_000).fill(7);
  const [found] = decodeChunk(encodeChunk([{ partitionKey: 'a', data }]));
  expect(found?.data.byteLength).toBe(3_000_000);
  expect(found?.data.at(-1)).toBe(7);
});
