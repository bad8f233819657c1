/** Which of two attribute values is greater, and whether they are equal. */
import { memberOf, typeOf } from './attribute-value.ts';
import type { AttributeValue } from './attribute-value.ts';
import { parseDecimal, sortableDecimal } from './decimal.ts';

/** Below zero, zero or above, for two texts, numbers or binaries; undefined for all else. */
export function compareValues(a: AttributeValue, b: AttributeValue): number | undefined {
  if ('S' in a && 'S' in b) return Buffer.compare(Buffer.from(a.S), Buffer.from(b.S));
  if ('N' in a && 'N' in b) return compareText(sortableNumber(a.N), sortableNumber(b.N));
  if ('B' in a && 'B' in b)
    return Buffer.compare(Buffer.from(a.B, 'base64'), Buffer.from(b.B, 'base64'));
  return undefined;
}

export function sortableNumber(text: string): string {
  return sortableDecimal(parseDecimal(text));
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Equal in type and content; sets without order. */
export function equalValues(a: AttributeValue, b: AttributeValue): boolean {
  if ('L' in a && 'L' in b) {
    return a.L.length === b.L.length && a.L.every((inner, at) => equalOptional(inner, b.L[at]));
  }
  if ('M' in a && 'M' in b) {
    const names = Object.keys(a.M);
    return (
      names.length === Object.keys(b.M).length &&
      names.every((name) => equalOptional(memberOf(a.M, name), memberOf(b.M, name)))
    );
  }
  const type = typeOf(a);
  if (type !== typeOf(b)) return false;
  const [one, other] = [Object.values(a)[0], Object.values(b)[0]];
  if (Array.isArray(one) && Array.isArray(other)) {
    return one.length === other.length && one.every((member) => other.includes(member));
  }
  return one === other;
}

function equalOptional(a: AttributeValue | undefined, b: AttributeValue | undefined): boolean {
  return a !== undefined && b !== undefined && equalValues(a, b);
}
