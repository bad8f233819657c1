import type { Cursor } from './cursor.ts';
import { keyOf } from './sight.ts';
import type { Sight } from './sight.ts';

/**
 * Forget what was published of the keys that `sights` are of: where the source shows them again, they
 * are published again. Two keys may look alike: then one is published once more than needed.
 */
export function forgetKeys(cursor: Cursor, sights: readonly Sight[]): Cursor {
  const keys = new Set(sights.map(keyOf));
  const others = (list: readonly Sight[]) => list.filter((sight) => !keys.has(keyOf(sight)));
  const { seen, run } = cursor;
  if (run === null) return { ...cursor, seen: others(seen) };
  const { ties, window, before } = run.rows;
  const rows = {
    ...run.rows,
    ties: others(ties),
    window: others(window),
    ...(before && { before: others(before) }),
  };
  return { ...cursor, seen: others(seen), run: { ...run, rows } };
}
