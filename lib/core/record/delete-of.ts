/** Makes the delete of a record of which no more than its key is known. */
import type { JsonObject, JsonValue } from './json.ts';
import type { Path } from './path.ts';
import type { PartitionKey } from './records.ts';
import { toEvent } from './to-event.ts';
import type { EventOutcome, Observation, RecordRules } from './to-event.ts';

export interface GoneRecord {
  /** The key's one or two parts. */
  readonly parts: readonly string[];
  readonly partitionKey: PartitionKey;
  /** When it was found gone, by the source's clock: the event's time. */
  readonly atMs: number;
}

/**
 * Make a delete without a version; its data holds the key where a record holds it, and no more.
 *
 * @example deleteOf({ parts: ['7'], partitionKey, atMs }, rules, observation); // id `7@#…`, data { order_id: '7' }
 */
export function deleteOf(
  { parts, partitionKey, atMs }: GoneRecord,
  rules: RecordRules,
  observation: Omit<Observation, 'sourceMs'>,
): EventOutcome {
  const { key } = rules;
  const outcome = toEvent(
    recordWith(key, parts),
    // Its own key marks it as deleted, so nothing else has to.
    { ...rules, deleted: key[0], map: undefined, partitionBy: key },
    { ...observation, sourceMs: atMs },
  );
  return outcome.kind === 'event' ? { ...outcome, partitionKey } : outcome;
}

function recordWith(paths: readonly Path[], parts: readonly string[]): JsonObject {
  const names = [...new Set(paths.map(([name = '']) => name))];
  return Object.fromEntries(
    names.map((name): [string, JsonValue] => {
      const below = paths.flatMap((path, at) =>
        path[0] === name ? [{ path: path.slice(1), part: parts[at] ?? '' }] : [],
      );
      const [only] = below;
      if (only !== undefined && only.path.length === 0) return [name, only.part];
      const inner = recordWith(
        below.map(({ path }) => path),
        below.map(({ part }) => part),
      );
      return [name, inner];
    }),
  );
}
