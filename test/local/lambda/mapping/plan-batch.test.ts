import fc from 'fast-check';
import { expect, test } from 'vitest';
import { eventBytes, eventOf, heldRecord } from '#local/lambda/mapping/kinesis-event';
import { planBatch } from '#local/lambda/mapping/plan-batch';

const SOURCE = {
  streamArn: 'arn:aws:kinesis:eu-west-1:000000000000:stream/orders',
  shardId: 'shardId-000000000003',
  region: 'eu-west-1',
  roleArn: 'arn:aws:iam::000000000000:role/consume',
};
const record = fc
  .record({
    sequenceNumber: fc.bigInt({ min: 1n, max: 10n ** 56n }).map(String),
    partitionKey: fc.string({ minLength: 1, maxLength: 20, unit: 'binary' }),
    data: fc.uint8Array({ maxLength: 200 }),
    arrivalTimeMs: fc.nat(),
  })
  .map((one) => heldRecord(one, SOURCE));
const held = fc.array(record, { maxLength: 8 });
const limits = fc.record({
  recordsMax: fc.integer({ min: 1, max: 6 }),
  payloadBytesMax: fc.integer({ min: 400, max: 4000 }),
});

test('the bytes that are counted are the bytes of the event', () => {
  fc.assert(
    fc.property(held, (records) => {
      expect(eventBytes(records)).toBe(Buffer.byteLength(eventOf(records)));
    }),
  );
});

test('data comes back from its base64, and a key as it was', () => {
  fc.assert(
    fc.property(fc.uint8Array(), fc.string({ unit: 'binary' }), (data, partitionKey) => {
      const one = heldRecord({ sequenceNumber: '7', partitionKey, data, arrivalTimeMs: 5 }, SOURCE);
      const { kinesis } = JSON.parse(one.json) as {
        kinesis: { data: string; partitionKey: string };
      };
      expect(Buffer.from(kinesis.data, 'base64')).toEqual(Buffer.from(data));
      expect(kinesis.partitionKey).toBe(partitionKey);
    }),
  );
});

test('a batch takes as many from the front as both limits allow, and is then full', () => {
  fc.assert(
    fc.property(held, limits, (records, { recordsMax, payloadBytesMax }) => {
      const fits = (count: number) =>
        count <= recordsMax && eventBytes(records.slice(0, count)) <= payloadBytesMax;
      let most = 0;
      while (most < records.length && fits(most + 1)) most++;
      const plan = planBatch(records, { recordsMax, payloadBytesMax });
      if (most === 0 && records.length > 0) expect(plan).toEqual({ kind: 'too-large' });
      else {
        const isFull = most === recordsMax || most < records.length;
        expect(plan).toEqual({ kind: 'batch', records: most, isFull });
      }
    }),
  );
});

test('the commas between records count', () => {
  const one = heldRecord(
    { sequenceNumber: '7', partitionKey: 'k', data: new Uint8Array(3), arrivalTimeMs: 5 },
    SOURCE,
  );
  const records = [one, one, one];
  const payloadBytesMax = eventBytes(records);
  const planned = (bytes: number) => planBatch(records, { recordsMax: 9, payloadBytesMax: bytes });
  expect(planned(payloadBytesMax)).toEqual({ kind: 'batch', records: 3, isFull: false });
  expect(planned(payloadBytesMax - 1)).toEqual({ kind: 'batch', records: 2, isFull: true });
});
