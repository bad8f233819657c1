import { expect, test } from 'vitest';
import { ruleTest } from '#test/local/rules/rule-test';
import type { InvokeResult } from '#local/contracts';
import { judgeAnswer } from '#local/lambda/mapping/judge-answer';
import { failing, THROTTLED, THROWN } from './mapping-bench.ts';

const BATCH = ['7', '8', '21'];
const judge = (result: InvokeResult, reportsItemFailures = true) =>
  judgeAnswer(result, BATCH, { reportsItemFailures });
const answer = (payload: string): InvokeResult => ({ kind: 'ok', payload });

ruleTest('mapping', 'report-success', () => {
  for (const payload of [
    '',
    'null',
    '{}',
    '""',
    '{"batchItemFailures":null}',
    '{"batchItemFailures":[]}',
  ]) {
    expect(judge(answer(payload)), payload).toEqual({ kind: 'finished' });
  }
});

const FAILED: readonly (readonly [string, InvokeResult])[] = [
  ['an empty identifier', failing('')],
  ['a null identifier', failing(null)],
  ['a number', failing(8)],
  ['a wrong key name', answer('{"batchItemFailures":[{"id":"8"}]}')],
  ['a list that is none', answer('{"batchItemFailures":"8"}')],
  ['an entry that is no object', answer('{"batchItemFailures":["8"]}')],
  ['text', answer('"done"')],
  ['no JSON', answer('{')],
];

ruleTest('mapping', 'report-failure', () => {
  for (const [what, result] of FAILED) {
    expect(judge(result), what).toMatchObject({ kind: 'failed', functionError: undefined });
  }
});

ruleTest('mapping', 'report-unknown', () => {
  expect(judge(failing('9'))).toMatchObject({ kind: 'failed' });
  expect(judge(failing('21', '9'))).toMatchObject({ kind: 'failed' });
});

ruleTest('mapping', 'report-first', () => {
  expect(judge(failing('21', '7'))).toMatchObject({ kind: 'failed' });
});

ruleTest(
  'mapping',
  'window-needs-state',
  () => {
    const judgeState = (payload: string) =>
      judgeAnswer(answer(payload), BATCH, { reportsItemFailures: true, needsState: true });
    for (const payload of ['', 'null', '{}', '{"state":null}', '{"state":3}', '{', '[]']) {
      expect(judgeState(payload), payload).toMatchObject({ kind: 'failed' });
    }
    expect(judgeState('{"state":{"n":5}}')).toEqual({ kind: 'finished', state: '{"n":5}' });
  },
  'whatever else it is',
);

ruleTest(
  'mapping',
  'report-lowest',
  () => {
    expect(judge(failing('21', '8'))).toMatchObject({ kind: 'partial', finished: 1 });
    expect(judge(failing('8', '21'))).toMatchObject({ kind: 'partial', finished: 1 });
    expect(judge(failing('21', '21'))).toMatchObject({ kind: 'partial', finished: 2 });
  },
  'as a number, not as text',
);

ruleTest('mapping', 'report-ignored', () => {
  expect(judge(failing('8'), false)).toEqual({ kind: 'finished' });
});

test('a function error fails the batch and a throttle does not', () => {
  expect(judge(THROWN)).toMatchObject({ kind: 'failed', functionError: 'Unhandled' });
  expect(judge(THROTTLED)).toMatchObject({ kind: 'throttled' });
});
