/** What the service refuses in an expression, knowing names and values, before it looks at any item. */
import type { ServiceError } from '#local/aws-json';
import { SET_TYPES, typeOf, VALUE_TYPES } from '#local/emulators/dynamodb/attribute-value';
import type { AttributeValue } from '#local/emulators/dynamodb/attribute-value';
import { compareValues } from '#local/emulators/dynamodb/compare-values';
import { refuseOverlap, resolvePath, showPath } from './paths.ts';
import type { Names } from './paths.ts';
import type { Call, Condition, Operand, Sum, Update } from './syntax.ts';

export interface Bindings extends Names {
  value(name: string): AttributeValue;
}

export interface Checking {
  readonly bindings: Bindings;
  readonly refuse: (why: string) => ServiceError;
}

const ORDERED = ['S', 'N', 'B'];
const SIZED = ['S', 'B', 'SS', 'NS', 'BS', 'L', 'M'];
const OPTIONS_MAX = 100;
const LONG_TYPES: Readonly<Record<string, string>> = {
  S: 'STRING',
  N: 'NUMBER',
  B: 'BINARY',
  BOOL: 'BOOLEAN',
  NULL: 'NULL',
  L: 'LIST',
  M: 'MAP',
};

/** @throws {ServiceError} for an operand that the operator can never take. */
export function checkCondition(condition: Condition, checking: Checking): void {
  switch (condition.kind) {
    case 'and':
    case 'or':
      checkCondition(condition.left, checking);
      checkCondition(condition.right, checking);
      return;
    case 'not':
      checkCondition(condition.inner, checking);
      return;
    case 'call':
      checkCall(condition, checking);
      return;
    case 'compare': {
      const { comparator, left, right } = condition;
      checkOperands([left, right], checking);
      refuseSame(comparator, left, [right], checking);
      if (comparator === '=' || comparator === '<>') return;
      allowOnly(comparator, [left, right], ORDERED, checking);
      return;
    }
    case 'between': {
      const { value, low, high } = condition;
      checkOperands([value, low, high], checking);
      refuseSame('BETWEEN', value, [low, high], checking);
      allowOnly('BETWEEN', [value, low, high], ORDERED, checking);
      checkBounds(low, high, checking);
      return;
    }
    case 'in': {
      const { value, options } = condition;
      checkOperands([value, ...options], checking);
      if (options.length > OPTIONS_MAX) {
        throw checking.refuse(
          `The IN operator is provided with too many operands; number of operands: ${options.length}`,
        );
      }
      refuseSame('IN', value, options, checking);
    }
  }
}

/** @throws {ServiceError} also where two of its paths overlap. */
export function checkUpdate({ actions }: Update, checking: Checking): void {
  const { bindings, refuse } = checking;
  refuseOverlap(
    actions.map(({ path }) => resolvePath(path, bindings)),
    refuse,
  );
  for (const action of actions) {
    if (action.section === 'REMOVE') continue;
    if (action.section === 'SET') {
      if (action.value.kind === 'sum') checkSum(action.value, checking);
      else checkOperands([action.value], checking);
      continue;
    }
    const type = typeOf(bindings.value(action.value.name));
    if (SET_TYPES.includes(type) || (type === 'N' && action.section === 'ADD')) continue;
    throw refuse(
      `Incorrect operand type for operator or function; operator: ${action.section}, ` +
        `operand type: ${LONG_TYPES[type] ?? type}, typeSet: ALLOWED_FOR_${action.section}_OPERAND`,
    );
  }
}

function checkSum({ operator, left, right }: Sum, checking: Checking): void {
  checkOperands([left, right], checking);
  allowOnly(operator, [left, right], ['N'], checking);
}

function checkOperands(operands: readonly Operand[], checking: Checking): void {
  const { bindings } = checking;
  for (const operand of operands) {
    if (operand.kind === 'path') resolvePath(operand, bindings);
    else if (operand.kind === 'value') bindings.value(operand.name);
    else checkCall(operand, checking);
  }
}

function checkCall({ name, operands }: Call, checking: Checking): void {
  checkOperands(operands, checking);
  const [first, ...rest] = operands;
  if (first === undefined) return;
  if (NEED_PATH.includes(name) && first.kind !== 'path') {
    throw checking.refuse(
      `Operator or function requires a document path; operator or function: ${name}`,
    );
  }
  if (name !== 'list_append') refuseSame(name, first, rest, checking);
  if (name === 'size') allowOnly(name, operands, SIZED, checking);
  else if (name === 'begins_with') allowOnly(name, operands, ['S', 'B'], checking);
  else if (name === 'list_append') allowOnly(name, operands, ['L'], checking);
  else if (name === 'attribute_type') checkTypeName(rest[0], checking);
}

const NEED_PATH = ['attribute_exists', 'attribute_not_exists', 'attribute_type', 'if_not_exists'];

function checkTypeName(operand: Operand | undefined, checking: Checking): void {
  if (operand?.kind !== 'value') {
    throw wrongType('attribute_type', `{${VALUE_TYPES.join(',')}}`, checking);
  }
  const value = checking.bindings.value(operand.name);
  if (!('S' in value)) throw wrongType('attribute_type', typeOf(value), checking);
  if (VALUE_TYPES.includes(value.S)) return;
  throw checking.refuse(
    `Invalid attribute type name found; type: ${value.S}, valid types: {${VALUE_TYPES.join(',')}}`,
  );
}

/** Refuses what is known to be of another type; what a path leads to is not known yet. */
function allowOnly(
  operator: string,
  operands: readonly Operand[],
  types: readonly string[],
  checking: Checking,
): void {
  for (const operand of operands) {
    const type = knownType(operand, checking.bindings);
    if (type !== undefined && !types.includes(type)) throw wrongType(operator, type, checking);
  }
}

function knownType(operand: Operand, bindings: Bindings): string | undefined {
  if (operand.kind === 'value') return typeOf(bindings.value(operand.name));
  return operand.kind === 'call' && operand.name === 'size' ? 'N' : undefined;
}

function wrongType(operator: string, type: string, { refuse }: Checking): ServiceError {
  return refuse(
    `Incorrect operand type for operator or function; operator or function: ${operator}, ` +
      `operand type: ${type}`,
  );
}

function checkBounds(low: Operand, high: Operand, { bindings, refuse }: Checking): void {
  if (low.kind !== 'value' || high.kind !== 'value') return;
  const [from, to] = [bindings.value(low.name), bindings.value(high.name)];
  const bounds = `lower bound operand: ${show(from)}, upper bound operand: ${show(to)}`;
  const order = compareValues(from, to);
  if (order === undefined) {
    throw refuse(
      `The BETWEEN operator requires same data type for lower and upper bounds; ${bounds}`,
    );
  }
  if (order > 0) {
    throw refuse(
      `The BETWEEN operator requires upper bound to be greater than or equal to lower bound; ${bounds}`,
    );
  }
}

function show(value: AttributeValue): string {
  return `AttributeValue: {${typeOf(value)}:${String(Object.values(value)[0])}}`;
}

function refuseSame(
  operator: string,
  first: Operand,
  rest: readonly Operand[],
  { bindings, refuse }: Checking,
): void {
  if (first.kind !== 'path') return;
  const shown = showPath(resolvePath(first, bindings));
  for (const operand of rest) {
    if (operand.kind !== 'path' || showPath(resolvePath(operand, bindings)) !== shown) continue;
    throw refuse(
      `The first operand must be distinct from the remaining operands for this operator or function; ` +
        `operator: ${operator}, first operand: ${shown}`,
    );
  }
}
