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
  readonly expired: ExpiredSettings;
}

/** Answers that hold one of the texts `is` at the dot path. */
export interface KindOfError {
  readonly path: string;
  readonly is: readonly string[];
}

/** How the source says that a token is too old: by a status, and by what the answer holds, if that is named. */
export interface ExpiredSettings {
  readonly status: readonly number[];
  readonly onlyIf?: KindOfError | undefined;
}

/** Asked for what changed since by a link that the last page's answer held: a token with its place. */
export interface DeltaLinkSettings extends Pick<TokenSettings, 'expired'> {
  readonly kind: 'delta-link';
  /** Dot path of the link. */
  readonly next: string;
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
