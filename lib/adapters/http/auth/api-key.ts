import type { Authorize, ReadSecret } from './authorize.ts';

export interface ApiKeyPlace {
  readonly header?: string | undefined;
  /** What stands before the key in the header, its space included. */
  readonly prefix: string;
  readonly param?: string | undefined;
}

/** The secret's text as a key, in the header or in the query parameter that is named. */
export function apiKey({ header, prefix, param }: ApiKeyPlace, readSecret: ReadSecret): Authorize {
  return async ({ refused }) => {
    const key = await readSecret({ fresh: refused !== undefined });
    return {
      kind: 'credentials',
      headers: header === undefined ? {} : { [header]: `${prefix}${key}` },
      params: param === undefined ? {} : { [param]: key },
    };
  };
}
