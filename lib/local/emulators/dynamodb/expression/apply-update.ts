/** Applies an update expression: every operand is read from the item as it was before. */
import { memberOf, setMember, typeOf } from '#local/emulators/dynamodb/attribute-value';
import type { AttributeMap, AttributeValue } from '#local/emulators/dynamodb/attribute-value';
import { addDecimals, decimalText, negate, parseDecimal } from '#local/emulators/dynamodb/decimal';
import { invalid } from '#local/emulators/dynamodb/refusal';
import type { Bindings } from './check-operands.ts';
import { valueAt } from './evaluate.ts';
import { resolvePath } from './paths.ts';
import type { ResolvedPath } from './paths.ts';
import type { Operand, SetOperand, Update } from './syntax.ts';

interface Change {
  readonly path: ResolvedPath;
  /** Undefined: remove what is there. */
  readonly value: AttributeValue | undefined;
}

/** The item after the update; `item` itself is left as it is. */
export function applyUpdate(update: Update, item: AttributeMap, bindings: Bindings): AttributeMap {
  const changes = update.actions.map((action): Change => {
    const path = resolvePath(action.path, bindings);
    if (action.section === 'REMOVE') return { path, value: undefined };
    if (action.section === 'SET') return { path, value: setValue(action.value, item, bindings) };
    const present = valueAt(action.path, item, bindings);
    const operand = bindings.value(action.value.name);
    const value = action.section === 'ADD' ? added(present, operand) : without(present, operand);
    return { path, value };
  });
  const map: Record<string, AttributeValue> = { ...item };
  for (const { path, value } of changes.sort(inOrder)) {
    changeMember(map, String(path[0]), path.slice(1), value);
  }
  return map;
}

/**
 * What goes beyond the end of a list is appended in the order of the indexes; then, removing from the back keeps
 * the indexes of what stands in front.
 */
function inOrder(a: Change, b: Change): number {
  if (a.value === undefined && b.value === undefined) return lastIndex(b) - lastIndex(a);
  if (a.value === undefined) return 1;
  return b.value === undefined ? -1 : lastIndex(a) - lastIndex(b);
}

function lastIndex({ path }: Change): number {
  const last = path.at(-1);
  return typeof last === 'number' ? last : 0;
}

function changeMember(
  map: Record<string, AttributeValue>,
  name: string,
  rest: ResolvedPath,
  value: AttributeValue | undefined,
): void {
  const present = memberOf(map, name);
  const next = rest.length === 0 ? value : changedInner(present, rest, value);
  if (next !== undefined) setMember(map, name, next);
  else if (present !== undefined) delete map[name];
}

function setValue(value: SetOperand, item: AttributeMap, bindings: Bindings): AttributeValue {
  if (value.kind !== 'sum') return operandValue(value, item, bindings);
  const left = operandValue(value.left, item, bindings);
  const right = operandValue(value.right, item, bindings);
  if (!('N' in left) || !('N' in right)) throw wrongType();
  const term = parseDecimal(right.N);
  return { N: sumText(left.N, value.operator === '+' ? term : negate(term)) };
}

function operandValue(operand: Operand, item: AttributeMap, bindings: Bindings): AttributeValue {
  if (operand.kind === 'value') return bindings.value(operand.name);
  if (operand.kind === 'path') {
    const value = valueAt(operand, item, bindings);
    if (value !== undefined) return value;
    throw invalid('The provided expression refers to an attribute that does not exist in the item');
  }
  const [first, second] = operand.operands;
  if (first === undefined || second === undefined) throw new Error('the form was checked');
  if (operand.name === 'if_not_exists') {
    const present = first.kind === 'path' ? valueAt(first, item, bindings) : undefined;
    return present ?? operandValue(second, item, bindings);
  }
  const front = operandValue(first, item, bindings);
  const back = operandValue(second, item, bindings);
  if (!('L' in front) || !('L' in back)) throw wrongType();
  return { L: [...front.L, ...back.L] };
}

function sumText(a: string, b: ReturnType<typeof parseDecimal>): string {
  return decimalText(addDecimals(parseDecimal(a), b));
}

function wrongType(): Error {
  return invalid('An operand in the update expression has an incorrect data type');
}

function added(present: AttributeValue | undefined, operand: AttributeValue): AttributeValue {
  if (present === undefined) return operand;
  if ('N' in present && 'N' in operand) {
    return { N: sumText(present.N, parseDecimal(operand.N)) };
  }
  if ('SS' in present && 'SS' in operand) return { SS: union(present.SS, operand.SS) };
  if ('NS' in present && 'NS' in operand) return { NS: union(present.NS, operand.NS) };
  if ('BS' in present && 'BS' in operand) return { BS: union(present.BS, operand.BS) };
  throw wrongType();
}

function without(
  present: AttributeValue | undefined,
  operand: AttributeValue,
): AttributeValue | undefined {
  if (present === undefined) return undefined;
  if (typeOf(present) !== typeOf(operand)) throw wrongType();
  if ('SS' in present && 'SS' in operand) {
    const SS = difference(present.SS, operand.SS);
    return SS.length === 0 ? undefined : { SS };
  }
  if ('NS' in present && 'NS' in operand) {
    const NS = difference(present.NS, operand.NS);
    return NS.length === 0 ? undefined : { NS };
  }
  if ('BS' in present && 'BS' in operand) {
    const BS = difference(present.BS, operand.BS);
    return BS.length === 0 ? undefined : { BS };
  }
  throw wrongType();
}

function union(a: readonly string[], b: readonly string[]): readonly string[] {
  return [...new Set([...a, ...b])];
}

function difference(a: readonly string[], b: readonly string[]): readonly string[] {
  return a.filter((member) => !b.includes(member));
}

/** A copy of `container` with the value at `path` replaced or removed. */
function changed(
  container: AttributeValue,
  path: ResolvedPath,
  value: AttributeValue | undefined,
): AttributeValue {
  const [step, ...rest] = path;
  if (typeof step === 'string' && 'M' in container) {
    const map: Record<string, AttributeValue> = { ...container.M };
    changeMember(map, step, rest, value);
    return { M: map };
  }
  if (typeof step === 'number' && 'L' in container) {
    const list = [...container.L];
    const inner = rest.length === 0 ? value : changedInner(list[step], rest, value);
    if (inner === undefined) list.splice(step, 1);
    else list[Math.min(step, list.length)] = inner;
    return { L: list };
  }
  throw invalidPath();
}

function changedInner(
  inner: AttributeValue | undefined,
  path: ResolvedPath,
  value: AttributeValue | undefined,
): AttributeValue {
  if (inner !== undefined) return changed(inner, path, value);
  throw invalidPath();
}

function invalidPath(): Error {
  return invalid('The document path provided in the update expression is invalid for update');
}
