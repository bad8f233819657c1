import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { COMPARISONS } from '#test/parity/all-parity';
import { renderParity } from '#test/parity/render-parity';

test('the page of differences is what the tables say: `npm run docs` writes it', () => {
  expect(readFileSync('docs/reference/parity.md', 'utf8')).toBe(renderParity());
});

test.each(COMPARISONS)('every difference to $other is of a question that is asked', ({ questions, differences }) => {
  const asked = questions.map(({ id }) => id);
  expect(new Set(asked).size).toBe(asked.length);
  expect(differences.filter(({ question }) => !asked.includes(question))).toEqual([]);
});
