/** Settings of how a source's requests prove who asks, every default applied. */
import type { TextOrSetting } from './pipeline-settings.ts';

export type SourceAuth =
  | { readonly kind: 'none' }
  /** `secret` names the secret whose text is the token. */
  | ({ readonly kind: 'bearer'; readonly secret: string } & Refetched)
  | ApiKeyAuth
  /** `secret` names the secret that is JSON of a `username` and a `password`. */
  | ({ readonly kind: 'basic'; readonly secret: string } & Refetched)
  | OAuth2Auth;

export interface Refetched {
  /** Statuses at which what was shown is read or fetched anew, and the request sent once more. */
  readonly refetchOn: readonly number[];
}

/** A key in a header or in a query parameter: one of the two is named. */
export interface ApiKeyAuth extends Refetched {
  readonly kind: 'api-key';
  /** Names the secret whose text is the key. */
  readonly secret: string;
  readonly header?: string | undefined;
  /** What stands before the key in the header, its space included. */
  readonly prefix: string;
  readonly param?: string | undefined;
}

/** Access tokens from a token endpoint. */
export interface OAuth2Auth extends Refetched {
  readonly kind: 'oauth2';
  readonly grant: 'client-credentials' | 'refresh-token';
  readonly tokenUrl: TextOrSetting;
  readonly clientId: TextOrSetting;
  /** Names the secret whose text is the client's, or JSON of that and the refresh token. */
  readonly secret: string;
  readonly scope?: TextOrSetting | undefined;
  readonly audience?: TextOrSetting | undefined;
  /** Where the client's id and secret stand in the request for a token. */
  readonly clientIn: 'body' | 'header';
}
