/** What a member of a request may be, as the service's API model says it. */

export type Member = (
  | {
      readonly kind: 'text';
      readonly min?: number;
      readonly max?: number;
      readonly pattern?: Pattern;
    }
  | { readonly kind: 'choice'; readonly values: readonly string[] }
  | { readonly kind: 'blob'; readonly max: number }
  | { readonly kind: 'count'; readonly min?: number; readonly max?: number }
  | { readonly kind: 'moment' | 'flag' }
  | { readonly kind: 'list'; readonly of: Member; readonly min: number; readonly max: number }
  | { readonly kind: 'tags'; readonly min: number; readonly max: number }
  | { readonly kind: 'object'; readonly members: Members }
) & { readonly isRequired?: true };

/** An expression, and the words in which the service names it. */
export interface Pattern {
  readonly test: RegExp;
  readonly shown: string;
}

export type Members = Readonly<Record<string, Member>>;

/** A member that must be there. */
export function required<M extends Member>(member: M): M & { readonly isRequired: true } {
  return { ...member, isRequired: true };
}
