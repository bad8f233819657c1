/** Decides whether an item meets a condition. */
import { memberOf, typeOf } from '#local/emulators/dynamodb/attribute-value';
import type { AttributeMap, AttributeValue } from '#local/emulators/dynamodb/attribute-value';
import { compareValues, equalValues } from '#local/emulators/dynamodb/compare-values';
import type { Bindings } from './check-operands.ts';
import type { Call, Comparator, Condition, Operand, Path, Step } from './syntax.ts';

/** An item that is not there has no attributes. */
export function meets(
  condition: Condition,
  item: AttributeMap | undefined,
  bindings: Bindings,
): boolean {
  const valueOf = (operand: Operand): AttributeValue | undefined =>
    operandValue(operand, item, bindings);
  switch (condition.kind) {
    case 'and':
      return meets(condition.left, item, bindings) && meets(condition.right, item, bindings);
    case 'or':
      return meets(condition.left, item, bindings) || meets(condition.right, item, bindings);
    case 'not':
      return !meets(condition.inner, item, bindings);
    case 'compare':
      return compares(condition.comparator, valueOf(condition.left), valueOf(condition.right));
    case 'between': {
      const value = valueOf(condition.value);
      return (
        compares('>=', value, valueOf(condition.low)) &&
        compares('<=', value, valueOf(condition.high))
      );
    }
    case 'in': {
      const value = valueOf(condition.value);
      return condition.options.some((option) => compares('=', value, valueOf(option)));
    }
    case 'call':
      return holds(condition, valueOf);
  }
}

function holds(
  { name, operands }: Call,
  valueOf: (operand: Operand) => AttributeValue | undefined,
): boolean {
  const [value, other] = operands.map(valueOf);
  if (name === 'attribute_exists') return value !== undefined;
  if (name === 'attribute_not_exists') return value === undefined;
  if (value === undefined || other === undefined) return false;
  if (name === 'attribute_type') return 'S' in other && typeOf(value) === other.S;
  if (name === 'begins_with') return beginsWith(value, other);
  if (name === 'contains') return contains(value, other);
  throw new Error(`${name} was checked to be a condition`);
}

/** What is missing is equal to nothing and different from everything. */
function compares(
  comparator: Comparator,
  left: AttributeValue | undefined,
  right: AttributeValue | undefined,
): boolean {
  if (left === undefined || right === undefined) return comparator === '<>';
  if (comparator === '=') return equalValues(left, right);
  if (comparator === '<>') return !equalValues(left, right);
  const order = compareValues(left, right);
  if (order === undefined) return false;
  if (comparator === '<') return order < 0;
  if (comparator === '<=') return order <= 0;
  return comparator === '>' ? order > 0 : order >= 0;
}

function beginsWith(value: AttributeValue, start: AttributeValue): boolean {
  if ('S' in value && 'S' in start) return value.S.startsWith(start.S);
  if (!('B' in value) || !('B' in start)) return false;
  const prefix = Buffer.from(start.B, 'base64');
  return Buffer.from(value.B, 'base64').subarray(0, prefix.length).equals(prefix);
}

function contains(value: AttributeValue, part: AttributeValue): boolean {
  if ('S' in value && 'S' in part) return value.S.includes(part.S);
  if ('B' in value && 'B' in part) {
    return Buffer.from(value.B, 'base64').includes(Buffer.from(part.B, 'base64'));
  }
  if ('SS' in value && 'S' in part) return value.SS.includes(part.S);
  if ('NS' in value && 'N' in part) return value.NS.includes(part.N);
  if ('BS' in value && 'B' in part) return value.BS.includes(part.B);
  return 'L' in value && value.L.some((member) => equalValues(member, part));
}

/** Of what a condition speaks of; functions of updates are none of this. */
function operandValue(
  operand: Operand,
  item: AttributeMap | undefined,
  bindings: Bindings,
): AttributeValue | undefined {
  if (operand.kind === 'value') return bindings.value(operand.name);
  if (operand.kind === 'path') return valueAt(operand, item, bindings);
  const [of] = operand.operands;
  const size = of === undefined ? undefined : sizeOf(operandValue(of, item, bindings));
  return size === undefined ? undefined : { N: String(size) };
}

/** @source Amazon DynamoDB developer guide, function size. Numbers and booleans have none. */
function sizeOf(value: AttributeValue | undefined): number | undefined {
  if (value === undefined) return undefined;
  if ('S' in value) return [...value.S].length;
  if ('B' in value) return Buffer.byteLength(value.B, 'base64');
  if ('M' in value) return Object.keys(value.M).length;
  const [content] = Object.values(value);
  return Array.isArray(content) ? content.length : undefined;
}

/** The value at a document path; undefined where the path leads nowhere. */
export function valueAt(
  path: Path,
  item: AttributeMap | undefined,
  bindings: Bindings,
): AttributeValue | undefined {
  let value: AttributeValue | undefined = item === undefined ? undefined : { M: item };
  for (const step of path.steps) {
    if (value === undefined) return undefined;
    value = stepInto(value, step, bindings);
  }
  return value;
}

function stepInto(
  value: AttributeValue,
  step: Step,
  bindings: Bindings,
): AttributeValue | undefined {
  if (step.kind === 'index') return 'L' in value ? value.L[step.index] : undefined;
  const name = step.kind === 'alias' ? bindings.nameOf(step.alias) : step.name;
  return 'M' in value ? memberOf(value.M, name) : undefined;
}
