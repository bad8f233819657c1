import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseDecimal } from '#core/record/decimal';

test('a decimal is its text as a fraction of whole numbers', () => {
  const digits = fc.stringMatching(/^[0-9]{1,12}$/);
  const exponent = fc.option(fc.integer({ min: -12, max: 12 }), { nil: undefined });
  fc.assert(
    fc.property(
      fc.constantFrom('', '-'),
      digits,
      fc.option(digits, { nil: undefined }),
      exponent,
      (sign, whole, fraction, exp) => {
        const source = `${sign}${whole}${fraction ? `.${fraction}` : ''}${exp === undefined ? '' : `e${exp}`}`;
        const parsed = parseDecimal(source)!;
        // Both sides times 10^40, as integers.
        const places = 40 - (fraction?.length ?? 0) + (exp ?? 0);
        const wanted = BigInt(whole + (fraction ?? '')) * 10n ** BigInt(places);
        expect(BigInt(parsed.digits) * 10n ** BigInt(40 - parsed.scale)).toBe(wanted);
        expect(parsed.digits).toMatch(parsed.scale > 0 ? /^\d*[1-9]$/ : /^(0|[1-9]\d*)$/);
        expect(parsed.negative).toBe(sign === '-' && wanted > 0n);
      },
    ),
    { numRuns: 500 },
  );
});

test.each(['', ' 1', '1.', '.5', '0x1', '1e', 'NaN', 'Infinity', '1e999'])(
  '%j is no decimal',
  (source) => expect(parseDecimal(source)).toBeUndefined(),
);
