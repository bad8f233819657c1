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

export type Operand = Path | ValueReference | { readonly kind: 'size'; readonly of: Operand };

export type Comparator = '=' | '<>' | '<' | '<=' | '>' | '>=';

export type Predicate =
  | 'attribute_exists'
  | 'attribute_not_exists'
  | 'attribute_type'
  | 'begins_with'
  | 'contains';

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
  | {
      readonly kind: 'predicate';
      readonly name: Predicate;
      readonly first: Operand;
      readonly second: Operand | undefined;
    };

export type SetOperand =
  | Path
  | ValueReference
  | { readonly kind: 'if_not_exists'; readonly path: Path; readonly otherwise: SetOperand }
  | { readonly kind: 'list_append'; readonly first: SetOperand; readonly second: SetOperand }
  | { readonly kind: 'plus' | 'minus'; readonly left: SetOperand; readonly right: SetOperand };

export type UpdateAction =
  | { readonly kind: 'set'; readonly path: Path; readonly value: SetOperand }
  | { readonly kind: 'remove'; readonly path: Path }
  | { readonly kind: 'add' | 'delete'; readonly path: Path; readonly value: ValueReference };
