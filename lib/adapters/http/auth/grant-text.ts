/** What a secret holds from which access tokens are refreshed. */
import { jsonMembers } from './json-members.ts';

export interface GrantText {
  /** Undefined for a public client, which has none. */
  readonly clientSecret?: string;
  readonly refreshToken: string;
  /** Of the latest refresh, for every function. */
  readonly access?: AccessText;
  /** Until when the refreshes so far are paid for, as `spendRefresh` counts; undefined for none. */
  readonly spentUntilMs?: number;
  /** The version of the secret that this text follows; undefined of one that a person put. */
  readonly after?: string;
}

export interface AccessText {
  readonly token: string;
  readonly bornAtMs: number;
  readonly expiresAtMs: number;
}

/** What a secret that holds none must be; a public client's has no `clientSecret`. */
export const GRANT_FORM = 'must be JSON such as {"clientSecret":"…","refreshToken":"…"}';

/** @source RFC 6749, A.17: visible characters and spaces. */
export function isRefreshToken(value: unknown): value is string {
  return typeof value === 'string' && /^[\x20-\x7e]+$/.test(value);
}

/**
 * Read a secret's text; other members are ignored.
 *
 * @returns undefined when it holds no refresh token that a request can carry.
 * @example parseGrant('{"refreshToken":"r0"}')?.refreshToken; // 'r0'
 */
export function parseGrant(text: string): GrantText | undefined {
  const { clientSecret, refreshToken, after, spentUntilMs, ...others } = jsonMembers(text) ?? {};
  if (!isRefreshToken(refreshToken)) return undefined;
  if (clientSecret !== undefined && typeof clientSecret !== 'string') return undefined;
  return {
    refreshToken,
    ...(clientSecret === undefined ? {} : { clientSecret }),
    ...accessIn(others),
    ...(typeof spentUntilMs === 'number' ? { spentUntilMs } : {}),
    ...(typeof after === 'string' ? { after } : {}),
  };
}

/** The access token in a secret's text, for one who may not refresh; undefined where there is none. */
export function heldAccessToken(text: string): string | undefined {
  const { accessToken } = jsonMembers(text) ?? {};
  return isAccessToken(accessToken) ? accessToken : undefined;
}

/** The text of a refreshed grant: what else `before` holds stays. */
export function refreshedText(
  before: string,
  { access, ...next }: Required<Omit<GrantText, 'clientSecret'>>,
): string {
  const { token: accessToken, ...life } = access;
  return JSON.stringify({ ...jsonMembers(before), ...next, accessToken, ...life });
}

/** One without a life was put by a person: nobody knows whether it is still good. */
function accessIn(others: Readonly<Record<string, unknown>>): Pick<GrantText, 'access'> {
  const { accessToken: token, bornAtMs, expiresAtMs } = others;
  if (!isAccessToken(token) || typeof bornAtMs !== 'number' || typeof expiresAtMs !== 'number')
    return {};
  return { access: { token, bornAtMs, expiresAtMs } };
}

/** @source RFC 6749, A.12, without the space: it stands in a header. */
export function isAccessToken(value: unknown): value is string {
  return typeof value === 'string' && /^[\x21-\x7e]+$/.test(value);
}
