/** Random conditions: as a tree, as text, and by a slow reading of AWS's words. */
import fc from 'fast-check';

/** What an operand may be: an attribute of the item, one nested, a value, or the size of an attribute. */
export type Leaf =
  | { readonly kind: 'path'; readonly names: readonly string[] }
  | { readonly kind: 'value'; readonly value: Value }
  | { readonly kind: 'size'; readonly of: readonly string[] };

export type Value =
  | { readonly N: string }
  | { readonly S: string }
  | { readonly SS: readonly string[] }
  | { readonly M: Readonly<Record<string, Value>> };

export type Tree =
  | { readonly kind: 'and' | 'or'; readonly parts: readonly [Tree, Tree] }
  | { readonly kind: 'not'; readonly part: Tree }
  | { readonly kind: 'compare'; readonly sign: string; readonly sides: readonly [Leaf, Leaf] }
  | { readonly kind: 'between'; readonly leaf: Leaf; readonly bounds: readonly [Value, Value] }
  | { readonly kind: 'in'; readonly leaf: Leaf; readonly options: readonly Value[] }
  | { readonly kind: 'exists' | 'missing'; readonly names: readonly string[] }
  | { readonly kind: 'begins' | 'holds'; readonly names: readonly string[]; readonly value: Value };

const names = ['a', 'b', 'c'] as const;
const number = fc.integer({ min: -3, max: 12 }).map((n) => ({ N: String(n) }));
const text = fc.constantFrom('', 'x', 'xy', 'y', '1').map((S) => ({ S }));
const set = fc.uniqueArray(fc.constantFrom('x', 'y', 'xy'), { minLength: 1 }).map((SS) => ({ SS }));
const scalar: fc.Arbitrary<Value> = fc.oneof(number, text);
const flat: fc.Arbitrary<Value> = fc.oneof(scalar, scalar, set);
const map = fc.dictionary(fc.constantFrom('p', 'q'), flat).map((M) => ({ M: { ...M } }) as Value);

export const item = fc
  .dictionary(fc.constantFrom(...names), fc.oneof(flat, map))
  .map((attributes): Readonly<Record<string, Value>> => ({ ...attributes }));

const path = fc.oneof(
  fc.constantFrom(...names).map((name) => [name]),
  fc.tuple(fc.constantFrom(...names), fc.constantFrom('p', 'q')).map((steps) => [...steps]),
);
const leaf: fc.Arbitrary<Leaf> = fc.oneof(
  path.map((steps): Leaf => ({ kind: 'path', names: steps })),
  scalar.map((value): Leaf => ({ kind: 'value', value })),
  path.map((steps): Leaf => ({ kind: 'size', of: steps })),
);
const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);
const order = (a: Value, b: Value): number =>
  'N' in a && 'N' in b
    ? Number(a.N) - Number(b.N)
    : 'S' in a && 'S' in b
      ? a.S < b.S
        ? -1
        : a.S > b.S
          ? 1
          : 0
      : Number.NaN;

const simple: fc.Arbitrary<Tree> = fc.oneof(
  fc
    .record({ sign: fc.constantFrom('=', '<>', '<', '<=', '>', '>='), sides: fc.tuple(leaf, leaf) })
    .filter(({ sides: [one, other] }) => !(one.kind === 'path' && isSame(one, other)))
    .map((one): Tree => ({ kind: 'compare', ...one })),
  fc
    .record({ leaf, bounds: fc.oneof(fc.tuple(number, number), fc.tuple(text, text)) })
    .map(({ leaf: of, bounds: [one, other] }): Tree => ({
      kind: 'between',
      leaf: of,
      bounds: order(one, other) > 0 ? [other, one] : [one, other],
    })),
  fc
    .record({ leaf, options: fc.array(flat, { minLength: 1, maxLength: 4 }) })
    .map((one): Tree => ({ kind: 'in', ...one })),
  fc
    .record({ kind: fc.constantFrom('exists' as const, 'missing' as const), names: path })
    .map((one): Tree => one),
  fc.record({ names: path, value: text }).map((one): Tree => ({ kind: 'begins', ...one })),
  fc.record({ names: path, value: scalar }).map((one): Tree => ({ kind: 'holds', ...one })),
);

export const { tree } = fc.letrec<{ tree: Tree }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    simple,
    fc
      .record({
        kind: fc.constantFrom('and' as const, 'or' as const),
        parts: fc.tuple(tie('tree'), tie('tree')),
      })
      .map((one): Tree => one),
    tie('tree').map((part): Tree => ({ kind: 'not', part })),
  ),
}));

/** The oracle: by what AWS writes of each operator, with JavaScript's own numbers. */
export function isMet(part: Tree, of: Readonly<Record<string, Value>>): boolean {
  switch (part.kind) {
    case 'and':
      return part.parts.every((inner) => isMet(inner, of));
    case 'or':
      return part.parts.some((inner) => isMet(inner, of));
    case 'not':
      return !isMet(part.part, of);
    case 'exists':
      return lookUp(part.names, of) !== undefined;
    case 'missing':
      return lookUp(part.names, of) === undefined;
    case 'begins': {
      const value = lookUp(part.names, of);
      return (
        value !== undefined &&
        'S' in value &&
        'S' in part.value &&
        value.S.indexOf(part.value.S) === 0
      );
    }
    case 'holds': {
      const value = lookUp(part.names, of);
      if (value === undefined || !('S' in part.value)) return false;
      const wanted = part.value.S;
      if ('S' in value) return value.S.split(wanted).length > 1 || wanted === '';
      return 'SS' in value && value.SS.some((member) => member === wanted);
    }
    case 'in':
      return part.options.some((option) => compare('=', read(part.leaf, of), option));
    case 'between':
      return (
        compare('>=', read(part.leaf, of), part.bounds[0]) &&
        compare('<=', read(part.leaf, of), part.bounds[1])
      );
    case 'compare':
      return compare(part.sign, read(part.sides[0], of), read(part.sides[1], of));
  }
}

function read(from: Leaf, of: Readonly<Record<string, Value>>): Value | undefined {
  if (from.kind === 'value') return from.value;
  if (from.kind === 'path') return lookUp(from.names, of);
  const value = lookUp(from.of, of);
  if (value === undefined || 'N' in value) return undefined;
  if ('S' in value) return { N: String(value.S.length) };
  return { N: String('SS' in value ? value.SS.length : Object.keys(value.M).length) };
}

function lookUp(
  [first = '', second]: readonly string[],
  of: Readonly<Record<string, Value>>,
): Value | undefined {
  const value = of[first];
  if (second === undefined) return value;
  return value !== undefined && 'M' in value ? value.M[second] : undefined;
}

function compare(sign: string, one: Value | undefined, other: Value | undefined): boolean {
  if (one === undefined || other === undefined) return sign === '<>';
  const sorted = (value: Value) => ('SS' in value ? { SS: [...value.SS].sort() } : value);
  const canonical = (value: Value): string =>
    JSON.stringify(sorted(value), (_, inner: unknown) =>
      typeof inner === 'object' && inner !== null && !Array.isArray(inner)
        ? Object.fromEntries(
            Object.entries(inner)
              .map(([name, v]) => [name, name === 'SS' ? [...(v as string[])].sort() : v] as const)
              .sort(([a], [b]) => (a < b ? -1 : 1)),
          )
        : inner,
    );
  const isEqual = canonical(one) === canonical(other);
  if (sign === '=' || sign === '<>') return isEqual === (sign === '=');
  const by = order(one, other);
  return sign === '<' ? by < 0 : sign === '<=' ? by <= 0 : sign === '>' ? by > 0 : by >= 0;
}
