import fc from 'fast-check';
import { expect } from 'vitest';
import { actionPattern, resourcePattern, textPattern } from '#local/iam/pattern';
import { ruleTest } from '#test/local/rules/rule-test';

/** The definition, word for word: a star is nothing, or one character and then a star again. */
function matchesSlowly(pattern: string, text: string): boolean {
  if (pattern === '') return text === '';
  const [first, rest] = [pattern[0], pattern.slice(1)];
  if (first === '*') {
    return matchesSlowly(rest, text) || (text !== '' && matchesSlowly(pattern, text.slice(1)));
  }
  return text !== '' && (first === '?' || first === text[0]) && matchesSlowly(rest, text.slice(1));
}

const pattern = fc.string({ maxLength: 8, unit: fc.constantFrom('a', 'b', '.', '*', '*', '?') });
const text = fc.string({ maxLength: 8, unit: fc.constantFrom('a', 'b', '.', '*', '\n') });
const runs = { numRuns: Number(process.env['IAM_RUNS'] ?? 2_000) };

ruleTest(
  'iam',
  'wildcards-oracle',
  () => {
    fc.assert(
      fc.property(pattern, text, (asked, given) => {
        expect(textPattern(asked)(given)).toBe(matchesSlowly(asked, given));
      }),
      runs,
    );
  },
  'of any text',
);

const part = (unit: string[]) => fc.string({ maxLength: 3, unit: fc.constantFrom(...unit) });
const head = (unit: string[]) => fc.tuple(part(unit), part(unit), part(unit), part(unit));
const wild = ['a', 'b', '*', '?'];

ruleTest(
  'iam',
  'wildcards-oracle',
  () => {
    fc.assert(
      fc.property(
        head(wild),
        part([...wild, ':']),
        head(['a', 'b']),
        part(['a', 'b', ':']),
        (asked, resource, given, name) => {
          const matches = resourcePattern(`arn:${asked.join(':')}:${resource}`)!;
          const expected =
            asked.every((one, index) => matchesSlowly(one, given[index]!)) &&
            matchesSlowly(resource, name);
          expect(matches(`arn:${given.join(':')}:${name}`)).toBe(expected);
        },
      ),
      runs,
    );
  },
  'of an ARN, part by part',
);

ruleTest(
  'iam',
  'action-case',
  () => {
    const name = fc.string({
      minLength: 1,
      maxLength: 5,
      unit: fc.constantFrom('a', 'B', '*', '?'),
    });
    const asked = fc.string({ maxLength: 5, unit: fc.constantFrom('A', 'b') });
    fc.assert(
      fc.property(name, asked, (one, other) => {
        const expected = matchesSlowly(one.toLowerCase(), other.toLowerCase());
        expect(actionPattern(`s3:${one}`)!(`S3:${other}`)).toBe(expected);
      }),
      runs,
    );
  },
  'by the definition',
);

ruleTest('iam', 'wildcards-fast', () => {
  // With backtracking this is more steps than there are nanoseconds in a year.
  const asked = textPattern(`${'a*'.repeat(30)}b`);
  expect(asked('a'.repeat(2_000))).toBe(false);
  expect(asked(`${'a'.repeat(2_000)}b`)).toBe(true);
});
