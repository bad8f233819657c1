/** A user name and a password that are one secret. */
import { jsonMembers } from './json-members.ts';

export interface Login {
  readonly username: string;
  readonly password: string;
}

/** What a secret that holds none must be. */
export const LOGIN_FORM = 'must be JSON such as {"username":"…","password":"…"}';

/**
 * Read a secret's text; members beside the two are ignored. One of the two may be empty, as where
 * an API takes a key for a user name.
 *
 * @returns undefined when it is not one that a request can carry.
 * @source RFC 7617, 2: no colon in the user name, no control character in either.
 * @example parseLogin('{"username":"reader","password":"secret"}')?.username; // 'reader'
 */
export function parseLogin(text: string): Login | undefined {
  const { username, password } = jsonMembers(text) ?? {};
  if (typeof username !== 'string' || typeof password !== 'string') return undefined;
  if (username.includes(':') || /\p{Cc}/u.test(username + password)) return undefined;
  return username + password === '' ? undefined : { username, password };
}
