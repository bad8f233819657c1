import fc from 'fast-check';
import { expect, test } from 'vitest';
import { judgeOrphans } from '#core/source/judge-orphans';

test.each([
  [100, 20, 0.2, 'removable'],
  [100, 21, 0.2, 'refused'],
  [4, 1, 0.2, 'refused'],
  [3, 0, 0, 'removable'],
  [3, 1, 0, 'refused'],
  [3, 3, 1, 'removable'],
  [0, 0, 0.2, 'removable'],
])('of %i known, %i gone under a share of %d is %s', (known, gone, shareMax, kind) =>
  expect(judgeOrphans({ known, gone, shareMax })).toMatchObject({ kind }),
);

test('a refusal says both counts and the setting', () => {
  const verdict = judgeOrphans({ known: 100, gone: 30, shareMax: 0.2 });
  expect(verdict).toMatchObject({ detail: expect.stringContaining('showed 70 of 100') });
  expect(verdict).toMatchObject({ detail: expect.stringContaining('30 are gone') });
  expect(verdict).toMatchObject({
    detail: expect.stringContaining('source.orphans.shareMax (0.2)'),
  });
});

test('never more than the share goes', () =>
  fc.assert(
    fc.property(
      fc.nat(1_000),
      fc.nat(1_000),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (a, b, shareMax) => {
        const [known, gone] = [Math.max(a, b), Math.min(a, b)];
        if (judgeOrphans({ known, gone, shareMax }).kind === 'removable') {
          expect(gone).toBeLessThanOrEqual(known * shareMax);
        }
      },
    ),
  ));
