/** Turns a key condition into a partition and a range of its sort keys. */
import type { ServiceError } from '#local/aws-json';
import { typeOf } from './attribute-value.ts';
import type { AttributeValue } from './attribute-value.ts';
import { compareValues } from './compare-values.ts';
import type { Bindings } from './expression/check-operands.ts';
import type { Comparator, Condition, Operand } from './expression/syntax.ts';
import { scattered } from './item-store.ts';
import type { SortRange } from './item-store.ts';
import { keyBytes } from './keys.ts';
import { invalid, invalidValue } from './refusal.ts';
import type { KeyAttribute, Place } from './table-store.ts';

export interface KeyRange {
  readonly partition: Uint8Array;
  /** Undefined: every sort key. */
  readonly range: SortRange | undefined;
}

/** One condition on one attribute, the attribute standing on the left. */
interface KeyPart {
  readonly operator: Comparator | 'BETWEEN' | 'begins_with';
  readonly values: readonly AttributeValue[];
}

export type KeyParts = ReadonlyMap<string, KeyPart>;

/** @throws {ServiceError} for what no key condition may hold, whatever the table. */
export function readKeyParts(condition: Condition, bindings: Bindings): KeyParts {
  const parts = new Map<string, KeyPart>();
  collect(condition, bindings, parts);
  return parts;
}

function collect(condition: Condition, bindings: Bindings, parts: Map<string, KeyPart>): void {
  switch (condition.kind) {
    case 'and':
      collect(condition.left, bindings, parts);
      collect(condition.right, bindings, parts);
      return;
    case 'or':
    case 'not':
    case 'in':
      throw invalid(
        `Invalid operator used in KeyConditionExpression: ${condition.kind.toUpperCase()}`,
      );
    case 'call': {
      if (condition.name !== 'begins_with') {
        throw invalid(`Invalid operator used in KeyConditionExpression: ${condition.name}`);
      }
      keyFirst(condition.name, condition.operands);
      return add(condition.name, condition.operands, bindings, parts);
    }
    case 'between':
      keyFirst('BETWEEN', [condition.value]);
      return add('BETWEEN', [condition.value, condition.low, condition.high], bindings, parts);
    case 'compare': {
      const { comparator, left, right } = condition;
      if (comparator === '<>') {
        throw invalid('Invalid operator used in KeyConditionExpression: <>');
      }
      if (left.kind === 'path') return add(comparator, [left, right], bindings, parts);
      return add(MIRRORED[comparator], [right, left], bindings, parts);
    }
  }
}

const MIRRORED = { '=': '=', '<': '>', '<=': '>=', '>': '<', '>=': '<=' } as const;

function keyFirst(operator: string, [first]: readonly Operand[]): void {
  if (first?.kind === 'path') return;
  throw invalid(
    `Invalid condition in KeyConditionExpression: ${operator} operator must have the key attribute as its first operand`,
  );
}

function add(
  operator: KeyPart['operator'],
  operands: readonly Operand[],
  bindings: Bindings,
  parts: Map<string, KeyPart>,
): void {
  if (operands.some(({ kind }) => kind === 'call')) {
    throw invalid('KeyConditionExpressions cannot contain nested operations');
  }
  const [first, ...rest] = operands;
  if (first?.kind !== 'path') {
    throw invalid('Invalid condition in KeyConditionExpression: No key attribute specified');
  }
  const values = rest.map((operand) => {
    if (operand.kind === 'value') return bindings.value(operand.name);
    throw invalid(
      'Invalid condition in KeyConditionExpression: Multiple attribute names used in one condition',
    );
  });
  const [step, ...deeper] = first.steps;
  if (step === undefined || step.kind === 'index' || deeper.length > 0) {
    throw invalid('KeyConditionExpressions cannot have conditions on nested attributes');
  }
  const name = step.kind === 'alias' ? bindings.nameOf(step.alias) : step.name;
  if (parts.has(name)) {
    throw invalid('KeyConditionExpressions must only contain one condition per key');
  }
  parts.set(name, { operator, values });
  if (parts.size > 2) throw invalid('Conditions can be of length 1 or 2 only');
}

/** @throws {ServiceError} for anything but `pk = :v`, with at most one condition on the sort key. */
export function keyRange({ partitionKey, sortKey }: Place, parts: KeyParts): KeyRange {
  if (sortKey === undefined && parts.size > 1) throw invalid('Query key condition not supported');
  const hash = parts.get(partitionKey.name);
  if (hash === undefined) throw missed(partitionKey);
  const [value] = checkedValues(partitionKey, hash);
  if (hash.operator !== '=' || value === undefined) {
    throw invalid('Query key condition not supported');
  }
  const partition = scattered(keyBytes(value));
  if (sortKey === undefined || parts.size === 1) return { partition, range: undefined };
  const sort = parts.get(sortKey.name);
  if (sort === undefined) throw missed(sortKey);
  return { partition, range: rangeOf(sort.operator, checkedValues(sortKey, sort)) };
}

function missed({ name }: KeyAttribute): ServiceError {
  return invalid(`Query condition missed key schema element: ${name}`);
}

function checkedValues(attribute: KeyAttribute, part: KeyPart): readonly AttributeValue[] {
  if (part.values.some((value) => typeOf(value) !== attribute.type)) {
    throw invalidValue('Condition parameter type does not match schema type');
  }
  if (part.operator === 'begins_with' && attribute.type === 'N') {
    throw invalid('Query key condition not supported');
  }
  const isEmpty = part.values.some(
    (value) => ('S' in value && value.S === '') || ('B' in value && value.B === ''),
  );
  if (isEmpty && part.operator === '=') {
    throw invalid(
      'One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an ' +
        `empty ${attribute.type === 'S' ? 'string' : 'binary'} value. Key: ${attribute.name}`,
    );
  }
  return part.values;
}

function rangeOf(
  operator: KeyPart['operator'],
  [first, second]: readonly AttributeValue[],
): SortRange {
  if (first === undefined) throw new Error('a sort condition has a value');
  const bytes = keyBytes(first);
  const closed = { bytes, inclusive: true };
  const open = { bytes, inclusive: false };
  switch (operator) {
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
    case 'BETWEEN': {
      if (second === undefined || compareValues(first, second) === undefined) {
        throw new Error('two bounds of one type were checked');
      }
      return { low: closed, high: { bytes: keyBytes(second), inclusive: true } };
    }
    case 'begins_with': {
      const end = afterPrefix(bytes);
      return end === undefined
        ? { low: closed }
        : { low: closed, high: { bytes: end, inclusive: false } };
    }
    case '<>':
      throw new Error('was refused');
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
