import type { Authorize, ReadSecret } from './authorize.ts';

/** The secret's text as a bearer token. @source RFC 6750, 2.1. */
export function bearer(readSecret: ReadSecret): Authorize {
  return async ({ refused }) => {
    const token = await readSecret({ fresh: refused !== undefined });
    return { kind: 'credentials', headers: { authorization: `Bearer ${token}` }, params: {} };
  };
}
