import type { Authorize, ReadSecret } from './authorize.ts';
import { LOGIN_FORM, parseLogin } from './login.ts';

/** The secret's user name and password, as UTF-8. @source RFC 7617, 2 and 2.1. */
export function basic(readSecret: ReadSecret): Authorize {
  return async ({ refused }) => {
    const known = parseLogin(await readSecret({ fresh: refused !== undefined }));
    // What is no login was perhaps put right since it was read.
    const login = known ?? parseLogin(await readSecret({ fresh: true }));
    if (login === undefined) {
      return { kind: 'refused', detail: `the secret of source.auth ${LOGIN_FORM}` };
    }
    const pair = Buffer.from(`${login.username}:${login.password}`).toString('base64');
    return { kind: 'credentials', headers: { authorization: `Basic ${pair}` }, params: {} };
  };
}
