/** Turns a key condition into a partition and a range of its sort keys. */
import type { ServiceError } from '#local/aws-json';
import { typeOf } from './attribute-value.ts';
import type { AttributeValue } from './attribute-value.ts';
import type { Scope } from './expression/scope.ts';
import type { Condition, Operand } from './expression/syntax.ts';
import { scattered } from './item-store.ts';
import type { SortRange } from './item-store.ts';
import { keyBytes } from './keys.ts';
import { invalid, invalidValue } from './refusal.ts';
import type { KeyAttribute, Table } from './table-store.ts';

export interface KeyRange {
  readonly partition: Uint8Array;
  readonly range: SortRange;
}

/** @throws {ServiceError} for anything but `pk = :v`, with at most one condition on the sort key. */
export function readKeyCondition(table: Table, condition: Condition, scope: Scope): KeyRange {
  const parts = conjuncts(condition);
  let partition: Uint8Array | undefined;
  let range: SortRange | undefined;
  for (const part of parts) {
    const { subject, values } = split(part, scope);
    if (subject === table.partitionKey.name) {
      if (part.kind !== 'compare' || part.comparator !== '=') {
        throw invalid('Query key condition not supported');
      }
      if (partition !== undefined) throw tooMany();
      partition = scattered(bytesOf(table.partitionKey, values[0]));
    } else if (table.sortKey !== undefined && subject === table.sortKey.name) {
      if (range !== undefined) throw tooMany();
      range = rangeOf(
        part,
        values.map((value) => bytesOf(table.sortKey, value)),
      );
    } else {
      throw invalid(`Query condition missed key schema element: ${table.partitionKey.name}`);
    }
  }
  if (partition === undefined) {
    throw invalid(`Query condition missed key schema element: ${table.partitionKey.name}`);
  }
  return { partition, range: range ?? {} };
}

function conjuncts(condition: Condition): readonly Condition[] {
  if (condition.kind === 'and')
    return [...conjuncts(condition.left), ...conjuncts(condition.right)];
  if (condition.kind === 'or' || condition.kind === 'not') {
    throw invalid(
      `Invalid operator used in KeyConditionExpression: ${condition.kind.toUpperCase()}`,
    );
  }
  return [condition];
}

/** The attribute that a condition is about, and the values it is held against. */
function split(
  condition: Condition,
  scope: Scope,
): { subject: string; values: readonly AttributeValue[] } {
  const operands = operandsOf(condition);
  const [first, ...rest] = operands;
  const [step, ...deeper] = first?.kind === 'path' ? first.steps : [];
  if (step === undefined || step.kind === 'index' || deeper.length > 0) {
    throw invalid(
      'Invalid condition in KeyConditionExpression: a key attribute stands on the left',
    );
  }
  const values = rest.map((operand) => {
    if (operand.kind === 'value') return scope.value(operand.name);
    throw invalid('Invalid condition in KeyConditionExpression: a value stands on the right');
  });
  return { subject: step.kind === 'alias' ? scope.nameOf(step.alias) : step.name, values };
}

function operandsOf(condition: Condition): readonly Operand[] {
  if (condition.kind === 'compare') {
    const { left, right } = condition;
    return left.kind === 'value' && condition.comparator === '=' ? [right, left] : [left, right];
  }
  if (condition.kind === 'between') return [condition.value, condition.low, condition.high];
  if (
    condition.kind === 'predicate' &&
    condition.name === 'begins_with' &&
    condition.second !== undefined
  ) {
    return [condition.first, condition.second];
  }
  throw invalid('Invalid operator used in KeyConditionExpression');
}

function bytesOf(
  attribute: KeyAttribute | undefined,
  value: AttributeValue | undefined,
): Uint8Array {
  if (attribute === undefined || value === undefined || typeOf(value) !== attribute.type) {
    throw invalidValue('Condition parameter type does not match schema type');
  }
  return keyBytes(value);
}

function rangeOf(condition: Condition, [first, second]: readonly Uint8Array[]): SortRange {
  if (first === undefined) throw new Error('a sort condition has a value');
  const closed = { bytes: first, inclusive: true };
  const open = { bytes: first, inclusive: false };
  if (condition.kind === 'between' && second !== undefined) {
    return { low: closed, high: { bytes: second, inclusive: true } };
  }
  if (condition.kind === 'predicate') {
    const end = afterPrefix(first);
    return end === undefined
      ? { low: closed }
      : { low: closed, high: { bytes: end, inclusive: false } };
  }
  if (condition.kind !== 'compare') throw invalid('Query key condition not supported');
  switch (condition.comparator) {
    case '=':
      return { low: closed, high: closed };
    case '<':
      return { high: open };
    case '<=':
      return { high: closed };
    case '>':
      return { low: open };
    case '>=':
      return { low: closed };
    case '<>':
      throw invalid('Unsupported operator in KeyConditionExpression: operator: <>');
  }
}

/** The first bytes behind all that begin with the prefix; undefined: there are none. */
function afterPrefix(prefix: Uint8Array): Uint8Array | undefined {
  const last = prefix.findLastIndex((byte) => byte < 0xff);
  if (last < 0) return undefined;
  const end = Uint8Array.from(prefix.subarray(0, last + 1));
  end[last] = (end[last] ?? 0) + 1;
  return end;
}

function tooMany(): ServiceError {
  return invalid('KeyConditionExpressions must only contain one condition per key');
}
