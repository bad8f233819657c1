/** What expressions mean, before the names and values of a request are known. */

export type Step =
  | { readonly kind: 'name'; readonly name: string }
  /** `#n`: its name comes with the request. */
  | { readonly kind: 'alias'; readonly alias: string }
  | { readonly kind: 'index'; readonly index: number };

export interface Path {
  readonly kind: 'path';
  /** The first is no index. */
  readonly steps: readonly Step[];
}

export interface ValueReference {
  readonly kind: 'value';
  /** With its colon. */
  readonly name: string;
}

/** Any function: which there are, and where, is checked after all is read. */
export interface Call {
  readonly kind: 'call';
  readonly name: string;
  readonly operands: readonly Operand[];
}

export type Operand = Path | ValueReference | Call;

export type Comparator = '=' | '<>' | '<' | '<=' | '>' | '>=';

export type Condition =
  | { readonly kind: 'and' | 'or'; readonly left: Condition; readonly right: Condition }
  | { readonly kind: 'not'; readonly inner: Condition }
  | {
      readonly kind: 'compare';
      readonly comparator: Comparator;
      readonly left: Operand;
      readonly right: Operand;
    }
  | {
      readonly kind: 'between';
      readonly value: Operand;
      readonly low: Operand;
      readonly high: Operand;
    }
  | { readonly kind: 'in'; readonly value: Operand; readonly options: readonly Operand[] }
  | Call;

export interface Sum {
  readonly kind: 'sum';
  readonly operator: '+' | '-';
  readonly left: Operand;
  readonly right: Operand;
}

export type SetOperand = Operand | Sum;

export type Section = 'SET' | 'REMOVE' | 'ADD' | 'DELETE';

export type UpdateAction =
  | { readonly section: 'SET'; readonly path: Path; readonly value: SetOperand }
  | { readonly section: 'REMOVE'; readonly path: Path }
  | { readonly section: 'ADD' | 'DELETE'; readonly path: Path; readonly value: ValueReference };

export interface Update {
  /** In the order written; the service refuses one that comes twice. */
  readonly sections: readonly Section[];
  readonly actions: readonly UpdateAction[];
}

/** What an operand is made of, with itself; operands of a condition in the order written. */
export function operandsIn(condition: Condition): readonly Operand[] {
  switch (condition.kind) {
    case 'and':
    case 'or':
      return [...operandsIn(condition.left), ...operandsIn(condition.right)];
    case 'not':
      return operandsIn(condition.inner);
    case 'compare':
      return [condition.left, condition.right].flatMap(withInner);
    case 'between':
      return [condition.value, condition.low, condition.high].flatMap(withInner);
    case 'in':
      return [condition.value, ...condition.options].flatMap(withInner);
    case 'call':
      return withInner(condition);
  }
}

function withInner(operand: Operand): readonly Operand[] {
  return operand.kind === 'call' ? [operand, ...operand.operands.flatMap(withInner)] : [operand];
}
