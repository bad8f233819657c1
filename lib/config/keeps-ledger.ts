/** Whether a pipeline notes the keys that may live, in a bucket of its own. */
import { byToken } from './by-token.ts';
import type { SourceSettings } from './pipeline-settings.ts';

type Source = Pick<SourceSettings, 'incremental' | 'orphans' | 'deletes'>;

/** One that is read as a whole does, and one that is asked by token if a full read is to remove what is gone. */
export function keepsLedger(source: Source): boolean {
  return source.incremental.kind === 'snapshot' || removesOrphans(source) !== undefined;
}

/**
 * @returns the share of the known keys that a full read after a token may find gone; undefined where it removes
 * none. With a feed of deletes beside, what that took away would not be known.
 */
export function removesOrphans(source: Source): { readonly shareMax: number } | undefined {
  const { orphans, deletes } = source;
  if (byToken(source) === undefined || orphans === false || deletes !== undefined) return undefined;
  return orphans;
}
