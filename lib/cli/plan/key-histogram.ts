/** Reads how often each partition key occurs, from a file of JSON lines. */
import { open } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { md5HashKey } from '#adapters/system/hash-key';
import { CliError } from '#cli/cli-error';
import type { CountedKey } from '#core/capacity/key-spread';
import { toPartitionKey } from '#core/record/partition-key';

/**
 * Read lines such as `{"partitionKey":"p-17","count":120}`. Without a count a line is one record, as
 * `penstock tail --json` prints them; lines of one key add up.
 *
 * @throws {CliError} naming the file and the line that holds no such thing.
 */
export async function readKeyHistogram(path: string): Promise<readonly CountedKey[]> {
  const counts = new Map<string, number>();
  let line = 0;
  for await (const text of linesOf(path)) {
    line++;
    if (text.trim() === '') continue;
    const found = countedIn(text);
    if (found === undefined) {
      throw new CliError(
        `${path}:${line} is no line such as {"partitionKey":"p-17","count":120}: ` +
          'a key of 1 to 256 characters, and a whole number of records.',
      );
    }
    counts.set(found.key, (counts.get(found.key) ?? 0) + found.count);
  }
  if (counts.size === 0) throw new CliError(`${path} holds no key.`);
  return Array.from(counts, ([partitionKey, count]) => ({
    partitionKey,
    hashKey: md5HashKey(partitionKey),
    count,
  }));
}

async function* linesOf(path: string): AsyncGenerator<string> {
  let file: FileHandle | undefined;
  try {
    file = await open(path);
    yield* file.readLines({ autoClose: false });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new CliError(`${path} cannot be read: ${reason}`);
  } finally {
    await file?.close();
  }
}

function countedIn(text: string): { readonly key: string; readonly count: number } | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null || !('partitionKey' in value)) return undefined;
    const { partitionKey } = value;
    const count = 'count' in value ? value.count : 1;
    if (typeof partitionKey !== 'string' || toPartitionKey(partitionKey) === undefined) {
      return undefined;
    }
    return typeof count === 'number' && Number.isSafeInteger(count) && count >= 1
      ? { key: partitionKey, count }
      : undefined;
  } catch {
    return undefined;
  }
}
