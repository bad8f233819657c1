/** DynamoDB's numbers: up to 38 digits, exact, from 1E-130 to 9.99…E+125. */
import { invalid } from './refusal.ts';

/** `sign × d.ddd × 10^exponent`; zero has sign 0 and no digits. */
export interface Decimal {
  readonly sign: -1 | 0 | 1;
  /** Without zeros at either end. */
  readonly digits: string;
  readonly exponent: number;
}

const NUMBER = /^([-+]?)(\d*)(?:\.(\d*))?(?:[eE]([-+]?\d{1,9}))?$/;
const ZERO: Decimal = { sign: 0, digits: '', exponent: 0 };

/**
 * Read a number as DynamoDB would store it.
 *
 * @throws {ServiceError} when it is no number, has more than 38 digits, or is out of range.
 */
export function parseDecimal(text: string): Decimal {
  const match = NUMBER.exec(text);
  const [, sign = '', whole = '', fraction = '', power = '0'] = match ?? [];
  if (match === null || whole + fraction === '') {
    throw invalid(
      text === ''
        ? 'The parameter cannot be converted to a numeric value'
        : `The parameter cannot be converted to a numeric value: ${text}`,
    );
  }
  return normalize(sign === '-' ? -1 : 1, whole + fraction, whole.length - 1 + Number(power));
}

/** `exponent` is that of the first digit. */
function normalize(sign: 1 | -1, allDigits: string, firstExponent: number): Decimal {
  const start = allDigits.search(/[1-9]/);
  if (start < 0) return ZERO;
  const digits = allDigits.slice(start).replace(/0+$/, '');
  const exponent = firstExponent - start;
  if (digits.length > 38)
    throw invalid('Attempting to store more than 38 significant digits in a Number');
  if (exponent > 125) {
    throw invalid(
      'Number overflow. Attempting to store a number with magnitude larger than supported range',
    );
  }
  if (exponent < -130) {
    throw invalid(
      'Number underflow. Attempting to store a number with magnitude smaller than supported range',
    );
  }
  return { sign, digits, exponent };
}

/** The number without an exponent: the form in which it is stored and answered. */
export function decimalText({ sign, digits, exponent }: Decimal): string {
  if (sign === 0) return '0';
  const minus = sign < 0 ? '-' : '';
  if (exponent < 0) return `${minus}0.${'0'.repeat(-exponent - 1)}${digits}`;
  const whole = digits.slice(0, exponent + 1).padEnd(exponent + 1, '0');
  const fraction = digits.slice(exponent + 1);
  return fraction === '' ? minus + whole : `${minus}${whole}.${fraction}`;
}

/** Text whose order, character by character, is the order of the numbers. */
export function sortableDecimal({ sign, digits, exponent }: Decimal): string {
  if (sign === 0) return '1';
  const shifted = exponent + 130;
  if (sign > 0) return `2${String(shifted).padStart(3, '0')}${digits}`;
  const mirrored = digits.replace(/\d/g, (digit) => String(9 - Number(digit)));
  return `0${String(999 - shifted).padStart(3, '0')}${mirrored}~`;
}

/** @throws {ServiceError} when the sum has more than 38 digits or is out of range. */
export function addDecimals(a: Decimal, b: Decimal): Decimal {
  const scale = Math.min(lastExponent(a), lastExponent(b));
  const sum = scaled(a, scale) + scaled(b, scale);
  const digits = (sum < 0n ? -sum : sum).toString();
  return normalize(sum < 0n ? -1 : 1, digits, digits.length - 1 + scale);
}

export function negate(value: Decimal): Decimal {
  return { ...value, sign: value.sign === 0 ? 0 : value.sign > 0 ? -1 : 1 };
}

function lastExponent({ sign, digits, exponent }: Decimal): number {
  return sign === 0 ? 0 : exponent - digits.length + 1;
}

function scaled(value: Decimal, scale: number): bigint {
  if (value.sign === 0) return 0n;
  const magnitude = BigInt(value.digits) * 10n ** BigInt(lastExponent(value) - scale);
  return value.sign < 0 ? -magnitude : magnitude;
}
