/** Finds one object of quarantine by its short name. */
import type { Bucket } from '#adapters/objects/bucket';
import { UsageError } from '#cli/cli-error';
import { redrivenIn, restingIn } from './entries.ts';
import type { Entry } from './entries.ts';

const SHOWN = 3;

/** @throws {UsageError} when the name is of none, or of several. */
export async function findEntry(bucket: Bucket, id: string): Promise<Entry> {
  const found: Entry[] = [];
  for (const entries of [restingIn(bucket), redrivenIn(bucket)]) {
    for await (const entry of entries) {
      if (entry.key === id) return entry;
      if (id !== '' && entry.id.startsWith(id)) found.push(entry);
    }
    if (found.length > 0) break;
  }
  const [first, ...others] = found;
  if (first === undefined) {
    throw new UsageError(
      `Nothing in the bucket ${bucket.name} has the ID '${id}': \`penstock quarantine list\` shows them.`,
    );
  }
  if (others.length === 0) return first;
  const names = found.slice(0, SHOWN).map((entry) => entry.id);
  throw new UsageError(`The ID '${id}' is the beginning of ${found.length}: ${names.join(', ')}…`);
}
