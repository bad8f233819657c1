import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decideNext } from '#local/lambda/mapping/decide-next';
import type { Piece } from '#local/lambda/mapping/decide-next';
import type { Verdict } from '#local/lambda/mapping/judge-answer';

const FAILED: Verdict = { kind: 'failed', detail: 'thrown', functionError: 'Unhandled' };
const THROTTLED: Verdict = { kind: 'throttled', detail: 'busy' };
const partial = (finished: number): Verdict => ({ kind: 'partial', finished, detail: 'named' });
const piece = (records: string, over: Partial<Piece<string>> = {}): Piece<string> => ({
  records: records.split(''),
  failures: 0,
  stalls: 0,
  invokes: 0,
  ...over,
});

test('a finished piece is done', () => {
  const rules = { retryAttemptsMax: 0, bisects: true };
  expect(decideNext(piece('ab'), { kind: 'finished' }, rules)).toEqual({ kind: 'done' });
});

test('a failure spends a retry until none is left', () => {
  const rules = { retryAttemptsMax: 2, bisects: false };
  expect(decideNext(piece('ab', { failures: 1, invokes: 4 }), FAILED, rules)).toEqual({
    kind: 'retry',
    piece: piece('ab', { failures: 2, stalls: 1, invokes: 5 }),
  });
  expect(decideNext(piece('ab', { failures: 2 }), FAILED, rules)).toEqual({
    kind: 'give-up',
    records: ['a', 'b'],
  });
});

test('without a limit nothing is given up', () => {
  const rules = { retryAttemptsMax: undefined, bisects: false };
  expect(decideNext(piece('a', { failures: 99_999 }), FAILED, rules)).toMatchObject({
    kind: 'retry',
  });
});

test('a throttle spends neither a retry nor an invocation, and lengthens the pause', () => {
  const rules = { retryAttemptsMax: 0, bisects: true };
  expect(decideNext(piece('ab', { stalls: 3 }), THROTTLED, rules)).toEqual({
    kind: 'retry',
    piece: piece('ab', { stalls: 4 }),
  });
});

test('a single record is not split', () => {
  const rules = { retryAttemptsMax: 0, bisects: true };
  expect(decideNext(piece('a'), FAILED, rules)).toEqual({ kind: 'give-up', records: ['a'] });
});

test('halves keep the retries and the order of their whole', () => {
  const rules = { retryAttemptsMax: 5, bisects: true };
  fc.assert(
    fc.property(fc.string({ minLength: 2 }), fc.nat(5), (records, failures) => {
      const whole = piece(records, { failures, stalls: 3 });
      const next = decideNext(whole, FAILED, rules);
      expect(next.kind).toBe('split');
      const pieces = next.kind === 'split' ? next.pieces : [];
      expect(pieces.flatMap((half) => half.records)).toEqual(whole.records);
      expect(pieces.map((half) => half.failures)).toEqual([failures, failures]);
      const [left, right] = pieces.map((half) => half.records.length);
      expect([0, 1]).toContain(left! - right!);
    }),
  );
});

test('a partial success leaves the rest, free of charge only when bisecting', () => {
  const rest = { stalls: 0, invokes: 7 };
  expect(
    decideNext(piece('abcd', { invokes: 6, stalls: 2 }), partial(3), {
      retryAttemptsMax: 0,
      bisects: true,
    }),
  ).toEqual({ kind: 'retry', piece: piece('d', rest) });
  expect(
    decideNext(piece('abcd', { invokes: 6, stalls: 2 }), partial(1), {
      retryAttemptsMax: 1,
      bisects: false,
    }),
  ).toEqual({ kind: 'retry', piece: piece('bcd', { ...rest, failures: 1 }) });
  expect(decideNext(piece('abcd'), partial(1), { retryAttemptsMax: 0, bisects: false })).toEqual({
    kind: 'give-up',
    records: ['b', 'c', 'd'],
  });
});
