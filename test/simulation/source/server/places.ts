import type { Row } from './row.ts';

/** Where a token leads. */
export type Place =
  | { readonly kind: 'behind'; readonly row: Row }
  /** What was there at the first request, less what was answered. */
  | { readonly kind: 'list'; readonly rows: readonly Row[] }
  | { readonly kind: 'end' };

export interface Places {
  keep(place: Place): string;
  /** Undefined where it was never told, or is forgotten. */
  find(token: string): Place | undefined;
}

/** What a source knows of the tokens that it told, each for a while. */
export function tokenPlaces(nowMs: () => number, lifeMs: () => number): Places {
  const kept = new Map<string, { readonly place: Place; readonly bornMs: number }>();
  return {
    keep(place) {
      const token = `${kept.size}+/=&%`;
      kept.set(token, { place, bornMs: nowMs() });
      return token;
    },
    find(token) {
      const known = kept.get(token);
      return known !== undefined && nowMs() - known.bornMs <= lifeMs() ? known.place : undefined;
    },
  };
}
