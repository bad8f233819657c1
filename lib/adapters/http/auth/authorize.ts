/** How a request to the source proves who asks: what every kind of `source.auth` becomes. */
import type { NoPage } from '#ports/page-source';

export interface Credentials {
  readonly kind: 'credentials';
  readonly headers: Readonly<Record<string, string>>;
  /** Query parameters: set when a request leaves, and held by nothing that is stored or said. */
  readonly params: Readonly<Record<string, string>>;
  /** From then on they are shown to nobody; undefined where they have no end that is known. */
  readonly untilMs?: number;
}

export interface AuthorizeAsk {
  /** What the source has just refused; it is not handed out again unless read anew. */
  readonly refused?: Credentials | undefined;
  /** Nobody waits any longer. */
  readonly signal: AbortSignal;
}

/**
 * What a request is to show, or why it cannot be sent.
 *
 * @throws {Error} in one sentence, without the secret, when the secret cannot be read.
 */
export type Authorize = (ask: AuthorizeAsk) => Promise<Credentials | NoPage>;

/** Reads the secret's text; `fresh` when the one known was refused. */
export type ReadSecret = (ask: { readonly fresh: boolean }) => Promise<string>;
