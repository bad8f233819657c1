/** The cursor as it is stored. */
import { FRESH_CURSOR } from './cursor.ts';
import type { Cursor } from './cursor.ts';

/** The form written here; a reader that meets a newer one must not touch it. */
const CURSOR_VERSION = 1;

export function encodeCursor(cursor: Cursor): string {
  return JSON.stringify({ v: CURSOR_VERSION, ...cursor });
}

/**
 * Read a stored cursor; one that was never stored is fresh.
 *
 * @throws {Error} when a newer Penstock wrote it, or when it is no cursor.
 */
export function decodeCursor(text: string | undefined): Cursor {
  if (text === undefined) return FRESH_CURSOR;
  const stored = JSON.parse(text) as Cursor & { readonly v?: unknown };
  const { v, boundary, seen, run, token, resync, snapshot, stranded, aheadMs } = stored;
  if (typeof v === 'number' && v > CURSOR_VERSION) {
    throw new Error(
      `the cursor has form ${v}, this Penstock reads up to ${CURSOR_VERSION}: deploy the newer one`,
    );
  }
  if (v !== CURSOR_VERSION || boundary === undefined || !Array.isArray(seen) || run === undefined) {
    throw new Error('what is stored as the cursor is not one');
  }
  return {
    boundary,
    seen,
    run,
    ...(token === undefined ? {} : { token }),
    ...(resync === undefined ? {} : { resync }),
    ...(snapshot === undefined ? {} : { snapshot }),
    ...(stranded === undefined ? {} : { stranded }),
    ...(aheadMs === undefined ? {} : { aheadMs }),
  };
}
