/** What the service refuses in a condition before it looks at any item. */
import type { ServiceError } from '#local/aws-json';
import { compareValues, typeOf } from '#local/emulators/dynamodb/attribute-value';
import type { AttributeValue } from '#local/emulators/dynamodb/attribute-value';
import { invalid } from '#local/emulators/dynamodb/refusal';
import type { Condition, Operand } from './syntax.ts';

export interface Values {
  value(name: string): AttributeValue;
}

const TYPES = ['S', 'N', 'B', 'SS', 'NS', 'BS', 'BOOL', 'NULL', 'L', 'M'];
const ORDERED = ['S', 'N', 'B'];

/** @throws {ServiceError} for an operand that the operator can never take. */
export function checkCondition(label: string, condition: Condition, values: Values): void {
  const check = (inner: Condition): void => checkCondition(label, inner, values);
  switch (condition.kind) {
    case 'and':
    case 'or':
      check(condition.left);
      check(condition.right);
      return;
    case 'not':
      check(condition.inner);
      return;
    case 'compare':
      if (sameOperand(condition.left, condition.right))
        throw notDistinct(label, condition.comparator);
      if (condition.comparator === '=' || condition.comparator === '<>') return;
      checkOrdered(label, condition.comparator, [condition.left, condition.right], values);
      return;
    case 'between':
      checkOrdered(label, 'BETWEEN', [condition.value, condition.low, condition.high], values);
      checkBounds(label, condition.low, condition.high, values);
      return;
    case 'in':
      return;
    case 'predicate':
      checkPredicate(label, condition, values);
  }
}

function checkPredicate(
  label: string,
  { name, first, second }: Extract<Condition, { kind: 'predicate' }>,
  values: Values,
): void {
  const literal = second?.kind === 'value' ? values.value(second.name) : undefined;
  if (name === 'attribute_exists' || name === 'attribute_not_exists') {
    if (first.kind !== 'path') {
      throw invalid(
        `Invalid ${label}: Operator or function requires a document path; operator or function: ${name}`,
      );
    }
  } else if (name === 'attribute_type') {
    const wanted = literal !== undefined && 'S' in literal ? literal.S : undefined;
    if (wanted === undefined)
      throw wrongType(label, name, literal === undefined ? 'path' : typeOf(literal));
    if (!TYPES.includes(wanted)) {
      throw invalid(
        `Invalid ${label}: Invalid attribute type name found; type: ${wanted}, valid types: {${TYPES.join(',')}}`,
      );
    }
  } else if (name === 'begins_with') {
    if (literal !== undefined && !('S' in literal) && !('B' in literal)) {
      throw wrongType(label, name, typeOf(literal));
    }
  }
  if (second !== undefined && sameOperand(first, second)) throw notDistinct(label, name);
}

function checkOrdered(
  label: string,
  operator: string,
  operands: readonly Operand[],
  values: Values,
): void {
  for (const operand of operands) {
    const type = operand.kind === 'value' ? typeOf(values.value(operand.name)) : 'S';
    if (!ORDERED.includes(type)) throw wrongType(label, operator, type);
  }
}

function checkBounds(label: string, low: Operand, high: Operand, values: Values): void {
  if (low.kind !== 'value' || high.kind !== 'value') return;
  const order = compareValues(values.value(low.name), values.value(high.name));
  if (order === undefined) {
    throw invalid(
      `Invalid ${label}: The BETWEEN operator requires same data type for lower and upper bounds`,
    );
  }
  if (order > 0) {
    throw invalid(
      `Invalid ${label}: The BETWEEN operator requires upper bound to be greater than or equal to lower bound`,
    );
  }
}

function sameOperand(a: Operand, b: Operand): boolean {
  return a.kind === 'path' && b.kind === 'path' && JSON.stringify(a) === JSON.stringify(b);
}

function notDistinct(label: string, operator: string): ServiceError {
  return invalid(
    `Invalid ${label}: The first operand must be distinct from the remaining operands for this operator or ` +
      `function; operator: ${operator}`,
  );
}

function wrongType(label: string, operator: string, type: string): ServiceError {
  return invalid(
    `Invalid ${label}: Incorrect operand type for operator or function; operator or function: ${operator}, ` +
      `operand type: ${type}`,
  );
}
