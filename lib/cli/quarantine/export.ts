/** Writes what rests in quarantine as JSON Lines: all of it, or it fails. */
import { open, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { CliError } from '#cli/cli-error';
import { entryJson } from '#cli/render/quarantine';
import { redrivenIn, restingIn } from './entries.ts';
import type { EntryFilter } from './entries.ts';
import type { QuarantineBucket } from './open-quarantine.ts';
import { matching, readAll } from './read-entry.ts';

export interface ExportAsk {
  readonly filter: EntryFilter;
  readonly redriven: boolean;
  /** Told of each line that is written. */
  readonly onLine: (lines: number) => void;
}

/** @throws {CliError} when an object went meanwhile, so that a line is missing. */
export async function exportLines(
  bucket: QuarantineBucket,
  { filter, redriven, onLine }: ExportAsk,
  write: (line: string) => Promise<void> | void,
): Promise<number> {
  let [lines, gone] = [0, 0];
  const entries = redriven ? redrivenIn(bucket) : restingIn(bucket);
  for await (const entry of readAll(bucket, matching(bucket, entries, filter))) {
    if (entry === undefined) {
      gone += 1;
      continue;
    }
    await write(`${JSON.stringify(entryJson(entry))}\n`);
    lines += 1;
    onLine(lines);
  }
  if (gone === 0) return lines;
  throw new CliError(`${gone} of the objects were taken away meanwhile: export again.`);
}

/** The file is whole, or it is not there. @throws {CliError} where none can be written. */
export async function exportToFile(
  bucket: QuarantineBucket,
  ask: ExportAsk,
  path: string,
): Promise<number> {
  await requireWritable(path);
  const partial = `${path}.part`;
  const file = await open(partial, 'w').catch((cause: unknown) => {
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : String(cause);
    throw new CliError(`Nothing can be written to the folder ${dirname(path)}: ${code}.`);
  });
  try {
    const lines = await exportLines(bucket, ask, async (line) => {
      await file.write(line);
    });
    await file.close();
    await rename(partial, path);
    return lines;
  } catch (error) {
    await file.close();
    await rm(partial, { force: true });
    throw error;
  }
}

async function requireWritable(path: string): Promise<void> {
  const kindOf = async (one: string) => stat(one).catch(() => undefined);
  const folder = dirname(path);
  if (!(await kindOf(folder))?.isDirectory()) {
    throw new CliError(`There is no folder ${folder}: make it, or name another file by --to.`);
  }
  if ((await kindOf(path))?.isDirectory()) {
    throw new CliError(`${path} is a folder: --to names a file.`);
  }
}
