import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Defect } from '#core/assert';
import { planRequest } from '#core/batch/plan-request';
import type { Pending } from '#core/batch/plan-request';
import { refuseOversized } from '#core/batch/record-size';

// Ceilings are tiny and records often tinier, so that each ceiling is the one hit, often.
const limits = { requestRecordsMax: 3, requestBytesMax: 20 };
const record = fc.record({
  partitionKey: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g'),
  bytes: fc.oneof(fc.constant(1), fc.integer({ min: 1, max: 20 })),
});
const forAllRuns = (check: (run: Pending[]) => void) =>
  fc.assert(fc.property(fc.array(record, { maxLength: 15 }), check), { numRuns: 1_000 });

describe('a plan', () => {
  test('holds every record once, each part in the order given', () =>
    forAllRuns((run) => {
      const { request, later } = planRequest(run, limits);
      const inOrder = (part: readonly Pending[]) => part.map((r) => run.indexOf(r));
      expect(new Set([...request, ...later])).toEqual(new Set(run));
      expect(request.length + later.length).toBe(run.length);
      for (const part of [request, later]) {
        expect(inOrder(part)).toEqual(inOrder(part).toSorted((a, b) => a - b));
      }
    }));

  test('keeps the limits, and sends one record of a key', () =>
    forAllRuns((run) => {
      const { request } = planRequest(run, limits);
      expect(request.length).toBeLessThanOrEqual(limits.requestRecordsMax);
      expect(request.reduce((sum, { bytes }) => sum + bytes, 0)).toBeLessThanOrEqual(20);
      expect(new Set(request.map((r) => r.partitionKey)).size).toBe(request.length);
    }));

  test('never sends a record before an earlier one of its key', () =>
    forAllRuns((run) => {
      for (const sent of planRequest(run, limits).request) {
        const first = run.find((r) => r.partitionKey === sent.partitionKey);
        expect(sent).toBe(first);
      }
    }));

  test('makes progress whenever there is anything to send', () =>
    forAllRuns((run) => {
      expect(planRequest(run, limits).request.length > 0).toBe(run.length > 0);
    }));

  test('agrees with the slow one', () =>
    forAllRuns((run) => {
      expect(planRequest(run, limits).request).toEqual(slowRequest(run));
    }));
});

/** The longest prefix of first-of-key records that fits, found by trying every length. */
function slowRequest(run: readonly Pending[]): readonly Pending[] {
  const firsts = run.filter(
    (r, at) => run.findIndex((o) => o.partitionKey === r.partitionKey) === at,
  );
  const fits = (part: readonly Pending[]) =>
    part.length <= limits.requestRecordsMax &&
    part.map(({ bytes }) => bytes).reduce((a, b) => a + b, 0) <= limits.requestBytesMax;
  return firsts.map((_, at) => firsts.slice(0, at + 1)).findLast(fits) ?? [];
}

test('PROD-12: six records near the limit go in two requests, five and one, keys counted', () => {
  const run = Array.from({ length: 6 }, (_, at) => ({ partitionKey: `${at}`, bytes: 1_000_200 }));
  const limit = { requestRecordsMax: 500, requestBytesMax: 5_242_880 };
  const first = planRequest(run, limit);
  expect(first.request).toEqual(run.slice(0, 5));
  expect(planRequest(first.later, limit)).toEqual({ request: run.slice(5), later: [] });
});

test('a record that no request could hold is a defect: it is refused before it is planned', () => {
  expect(() => planRequest([{ partitionKey: 'a', bytes: 21 }], limits)).toThrow(Defect);
});

test('PROD-08: the partition key counts towards the size of a record, up to the limit and not beyond', () => {
  const bytes = 1_048_570 + 'order-123'.length;
  expect(refuseOversized(bytes, 1_048_576)).toMatchObject({
    reason: 'record-too-large',
    detail: 'partition key and data take 1048579 bytes; the stream accepts 1048576',
  });
  expect(refuseOversized(1_048_576, 1_048_576)).toBeUndefined();
});
