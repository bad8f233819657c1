import { expect, test } from 'vitest';
import type { InvokeResult } from '#local/contracts';
import { judgeAnswer } from '#local/lambda/mapping/judge-answer';
import { failing, THROTTLED, THROWN } from './mapping-bench.ts';

const BATCH = ['7', '8', '21'];
const judge = (result: InvokeResult, reportsItemFailures = true) =>
  judgeAnswer(result, BATCH, { reportsItemFailures });
const answer = (payload: string): InvokeResult => ({ kind: 'ok', payload });

test.each(['', 'null', '{}', '""', '{"batchItemFailures":null}', '{"batchItemFailures":[]}'])(
  'the answer %j finishes the batch',
  (payload) => {
    expect(judge(answer(payload))).toEqual({ kind: 'finished' });
  },
);

test.each([
  ['an empty identifier', failing('')],
  ['a null identifier', failing(null)],
  ['an identifier of another batch', failing('9')],
  ['an unknown identifier beside a known one', failing('21', '9')],
  ['a number', failing(8)],
  ['a wrong key name', answer('{"batchItemFailures":[{"id":"8"}]}')],
  ['a list that is none', answer('{"batchItemFailures":"8"}')],
  ['an entry that is no object', answer('{"batchItemFailures":["8"]}')],
  ['text', answer('"done"')],
  ['no JSON', answer('{')],
  ['the first record', failing('21', '7')],
])('%s fails the whole batch', (_, result) => {
  expect(judge(result)).toMatchObject({ kind: 'failed', functionError: undefined });
});

test('the lowest number is where to resume, as a place and not as text', () => {
  expect(judge(failing('21', '8'))).toMatchObject({ kind: 'partial', finished: 1 });
  expect(judge(failing('8', '21'))).toMatchObject({ kind: 'partial', finished: 1 });
  expect(judge(failing('21', '21'))).toMatchObject({ kind: 'partial', finished: 2 });
});

test('a report that was not asked for is ignored', () => {
  expect(judge(failing('8'), false)).toEqual({ kind: 'finished' });
});

test('a function error fails the batch and a throttle does not', () => {
  expect(judge(THROWN)).toMatchObject({ kind: 'failed', functionError: 'Unhandled' });
  expect(judge(THROTTLED)).toMatchObject({ kind: 'throttled' });
});
