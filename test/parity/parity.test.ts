import { expect, test } from 'vitest';
import { askAll, differences, expectedOf } from './parity.ts';
import type { ExplainedDifference, ParityQuestion } from './parity.ts';

class ServiceError extends Error {
  readonly $metadata = {};
  override readonly name = 'ValidationException';
}

const QUESTIONS: readonly ParityQuestion<(word: string) => string>[] = [
  { id: 'same', asks: 'what both know', ask: async (say) => say('same') },
  { id: 'other', asks: 'what they know differently', ask: async (say) => say('other') },
];
const ours = (word: string) => `${word}!`;
const theirs = (word: string) => {
  if (word === 'other') throw new ServiceError('no');
  return `${word}!`;
};
const EXPLAINED: ExplainedDifference = {
  question: 'other',
  ours: 'other!',
  theirs: { error: 'ValidationException' },
  right: 'ours',
  source: 'this test',
};

test('a question answered differently is a difference, and an error answers by its name', async () => {
  const found = differences(await askAll(QUESTIONS, ours), await askAll(QUESTIONS, theirs));
  expect(found).toEqual(expectedOf([EXPLAINED]));
});

test('a difference that is gone is not expected any more', async () => {
  const found = differences(await askAll(QUESTIONS, ours), await askAll(QUESTIONS, ours));
  expect(found).not.toEqual(expectedOf([EXPLAINED]));
});

test('a question that breaks is no answer', async () => {
  const broken: ParityQuestion<null> = {
    id: 'broken',
    asks: 'nothing',
    ask: () => Promise.reject(new TypeError('no such function')),
  };
  await expect(askAll([broken], null)).rejects.toThrow('question broken broke');
});
