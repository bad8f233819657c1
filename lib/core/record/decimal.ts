/** A plain decimal: `digits × 10^-scale`, exact. */
export interface Decimal {
  readonly negative: boolean;
  /** No leading zeros; `0` for zero. */
  readonly digits: string;
  /** Digits after the point; never negative, no trailing zeros. */
  readonly scale: number;
}

/** Exponents beyond this are not amounts or times; refusing them bounds the text that is made. */
const EXPONENT_MAX = 400;

/**
 * Read a number's text exactly: sign, point and exponent; undefined for anything else.
 *
 * @example parseDecimal('1.50e1'); // { negative: false, digits: '15', scale: 0 }
 */
export function parseDecimal(text: string): Decimal | undefined {
  const match = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(text);
  if (!match) return undefined;
  const [, sign, whole = '', fraction = '', exponentText = '0'] = match;
  const exponent = Number(exponentText);
  if (Math.abs(exponent) > EXPONENT_MAX) return undefined;

  const shift = exponent - fraction.length;
  const digits = stripLeadingZeros(whole + fraction + '0'.repeat(Math.max(0, shift)));
  const trailing = Math.min(countTrailingZeros(digits), Math.max(0, -shift));
  return {
    negative: sign === '-' && digits !== '0',
    digits: digits === '0' ? '0' : digits.slice(0, digits.length - trailing),
    scale: digits === '0' ? 0 : Math.max(0, -shift) - trailing,
  };
}

function stripLeadingZeros(digits: string): string {
  return digits.replace(/^0+(?=\d)/, '');
}

function countTrailingZeros(digits: string): number {
  let count = 0;
  while (count < digits.length && digits[digits.length - 1 - count] === '0') count++;
  return count;
}
