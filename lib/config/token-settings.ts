/** Settings of a source that is asked by token, every default applied. */

/** Where an answer holds something: a dot path in its body, or a header. */
export type Mark = string | { readonly header: string };

/** Asked for what changed since a token that an earlier answer held. */
export interface TokenSettings {
  readonly kind: 'token';
  /** Query parameter that takes the token. */
  readonly param: string;
  readonly next: Mark;
  /** What a full read is asked with; the parameter is left out unless given. */
  readonly first?: string | undefined;
  /** Statuses by which the source says that a token is too old. */
  readonly expired: { readonly status: readonly number[] };
}

/**
 * Each answer holds the token of what comes next; `more`: dot path of true or false; `pending`: how
 * many changes are left.
 */
export interface FeedPagination {
  readonly kind: 'feed';
  readonly more?: string | undefined;
  readonly pending?: Mark | undefined;
}
