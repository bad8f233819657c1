/** Applies an update expression: every operand is read from the item as it was before. */
import { memberOf, typeOf } from '#local/emulators/dynamodb/attribute-value';
import type { AttributeMap, AttributeValue } from '#local/emulators/dynamodb/attribute-value';
import { addDecimals, decimalText, negate, parseDecimal } from '#local/emulators/dynamodb/decimal';
import { invalid } from '#local/emulators/dynamodb/refusal';
import { valueAt } from './evaluate.ts';
import { resolvePath } from './paths.ts';
import type { ResolvedPath } from './paths.ts';
import type { Scope } from './scope.ts';
import type { SetOperand, UpdateAction } from './syntax.ts';

interface Change {
  readonly path: ResolvedPath;
  /** Undefined: remove what is there. */
  readonly value: AttributeValue | undefined;
}

/** The item after the update; `item` itself is left as it is. */
export function applyUpdate(
  actions: readonly UpdateAction[],
  item: AttributeMap,
  scope: Scope,
): AttributeMap {
  const changes = actions.map((action): Change => {
    const path = resolvePath(action.path, scope);
    if (action.kind === 'remove') return { path, value: undefined };
    if (action.kind === 'set') return { path, value: operandValue(action.value, item, scope) };
    const present = valueAt(action.path, item, scope);
    const operand = scope.value(action.value.name);
    return {
      path,
      value: action.kind === 'add' ? added(present, operand) : without(present, operand),
    };
  });
  // Removing from the back keeps the indexes of what stands in front.
  const removals = changes.filter(({ value }) => value === undefined).sort(backToFront);
  const sets = changes.filter(({ value }) => value !== undefined);
  const root = [...sets, ...removals].reduce<AttributeValue>(
    (value, change) => changed(value, change.path, change.value),
    { M: item },
  );
  return 'M' in root ? root.M : item;
}

function operandValue(operand: SetOperand, item: AttributeMap, scope: Scope): AttributeValue {
  switch (operand.kind) {
    case 'value':
      return scope.value(operand.name);
    case 'path': {
      const value = valueAt(operand, item, scope);
      if (value !== undefined) return value;
      throw invalid(
        'The provided expression refers to an attribute that does not exist in the item',
      );
    }
    case 'if_not_exists':
      return valueAt(operand.path, item, scope) ?? operandValue(operand.otherwise, item, scope);
    case 'list_append': {
      const first = operandValue(operand.first, item, scope);
      const second = operandValue(operand.second, item, scope);
      if ('L' in first && 'L' in second) return { L: [...first.L, ...second.L] };
      throw wrongType('list_append', 'L' in first ? second : first);
    }
    case 'plus':
    case 'minus': {
      const left = operandValue(operand.left, item, scope);
      const right = operandValue(operand.right, item, scope);
      if (!('N' in left)) throw wrongType(operand.kind === 'plus' ? '+' : '-', left);
      if (!('N' in right)) throw wrongType(operand.kind === 'plus' ? '+' : '-', right);
      const term = parseDecimal(right.N);
      return {
        N: sumText(left.N, operand.kind === 'plus' ? decimalText(term) : decimalText(negate(term))),
      };
    }
  }
}

function sumText(a: string, b: string): string {
  return decimalText(addDecimals(parseDecimal(a), parseDecimal(b)));
}

function wrongType(operator: string, value: AttributeValue): Error {
  return invalid(
    `Invalid UpdateExpression: Incorrect operand type for operator or function; operator or function: ` +
      `${operator}, operand type: ${typeOf(value)}`,
  );
}

const SETS = ['SS', 'NS', 'BS'];

function added(present: AttributeValue | undefined, operand: AttributeValue): AttributeValue {
  if (!('N' in operand) && !SETS.includes(typeOf(operand))) throw wrongType('ADD', operand);
  if (present === undefined) return operand;
  if ('N' in present && 'N' in operand) return { N: sumText(present.N, operand.N) };
  if ('SS' in present && 'SS' in operand) return { SS: union(present.SS, operand.SS) };
  if ('NS' in present && 'NS' in operand) return { NS: union(present.NS, operand.NS) };
  if ('BS' in present && 'BS' in operand) return { BS: union(present.BS, operand.BS) };
  throw invalid('An operand in the update expression has an incorrect data type');
}

function without(
  present: AttributeValue | undefined,
  operand: AttributeValue,
): AttributeValue | undefined {
  if (!SETS.includes(typeOf(operand))) throw wrongType('DELETE', operand);
  if (present === undefined) return undefined;
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
  throw invalid('An operand in the update expression has an incorrect data type');
}

function union(a: readonly string[], b: readonly string[]): readonly string[] {
  return [...new Set([...a, ...b])];
}

function difference(a: readonly string[], b: readonly string[]): readonly string[] {
  return a.filter((member) => !b.includes(member));
}

function backToFront(a: Change, b: Change): number {
  const last = ({ path }: Change): number => Number(path.at(-1));
  return (last(b) || 0) - (last(a) || 0);
}

/** A copy of `container` with the value at `path` replaced or removed. */
function changed(
  container: AttributeValue,
  path: ResolvedPath,
  value: AttributeValue | undefined,
): AttributeValue {
  const [step, ...rest] = path;
  if (typeof step === 'string' && 'M' in container) {
    const map: Record<string, AttributeValue> = Object.assign(Object.create(null), container.M);
    const inner =
      rest.length === 0 ? value : changedInner(memberOf(container.M, step), rest, value);
    if (inner === undefined) delete map[step];
    else map[step] = inner;
    return { M: map };
  }
  if (typeof step === 'number' && 'L' in container) {
    const list = [...container.L];
    const inner = rest.length === 0 ? value : changedInner(list[step], rest, value);
    if (inner === undefined) list.splice(step, 1);
    else list[Math.min(step, list.length)] = inner;
    return { L: list };
  }
  throw invalid('The document path provided in the update expression is invalid for update');
}

function changedInner(
  inner: AttributeValue | undefined,
  path: ResolvedPath,
  value: AttributeValue | undefined,
): AttributeValue {
  if (inner !== undefined) return changed(inner, path, value);
  throw invalid('The document path provided in the update expression is invalid for update');
}
