/** Has a person edit payloads, each as a file, in the editor of their choice. */
import { spawn } from 'node:child_process';
import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { strictText } from '#adapters/system/strict-text';
import { CliError, UsageError } from '#cli/cli-error';
import type { Io } from '#cli/io';
import type { QuarantineBucket } from '#cli/quarantine/open-quarantine';
import { readEntry } from '#cli/quarantine/read-entry';
import { prettyJson } from '#cli/render/quarantine';
import { decodeEvent } from '#core/record/decode-event';
import { parseExact } from '#core/record/exact-json';
import type { SendableEntry } from './choose.ts';

export interface Edited {
  /** Where the files are. */
  readonly directory: string;
  /** What was changed, by the object's key. */
  readonly payloads: ReadonlyMap<string, Uint8Array>;
}

/** More files than that nobody edits by hand. */
const FILES_MAX = 100;

/**
 * Every file must hold an event in the end, or nothing is sent.
 *
 * @throws {CliError} naming the files that do not, which stay where they are.
 */
export async function editPayloads(
  bucket: QuarantineBucket,
  entries: readonly SendableEntry[],
  { env }: Pick<Io, 'env'>,
): Promise<Edited> {
  const editor = env['VISUAL'] || env['EDITOR'];
  if (!editor) throw new UsageError('No editor is named: set EDITOR, as in EDITOR=nano.');
  if (entries.length > FILES_MAX) {
    throw new UsageError(
      `${entries.length} records are too many to edit (${FILES_MAX} at most): choose fewer, by --id or --reason.`,
    );
  }
  const directory = await mkdtemp(join(tmpdir(), 'penstock-redrive-'));
  const files = await Promise.all(entries.map((entry) => writePayload(bucket, entry, directory)));
  await openEditor(
    editor,
    files.map(({ path }) => path),
    directory,
  );
  return { directory, payloads: await readEdited(files) };
}

interface EditedFile {
  readonly key: string;
  readonly path: string;
  readonly before: string;
}

async function writePayload(
  bucket: QuarantineBucket,
  entry: SendableEntry,
  directory: string,
): Promise<EditedFile> {
  const read = await readEntry(bucket, entry);
  if (read?.content.kind !== 'record') throw new CliError(`${entry.id} cannot be edited.`);
  const path = join(directory, `${entry.id}.json`);
  let before: string;
  try {
    before = `${prettyJson(strictText(read.content.kept.payload))}\n`;
  } catch {
    throw new CliError(`${entry.id} holds bytes that are no text in UTF-8: no editor takes them.`);
  }
  await writeFile(path, before);
  return { key: entry.key, path, before };
}

async function readEdited(files: readonly EditedFile[]): Promise<ReadonlyMap<string, Uint8Array>> {
  const payloads = new Map<string, Uint8Array>();
  const faults: string[] = [];
  for (const { key, path, before } of files) {
    const text = await readFile(path, 'utf8');
    if (text === before) continue;
    const outcome = decodeEvent(Buffer.from(text), strictText);
    if (outcome.kind === 'refused') faults.push(`${path}: ${outcome.reason}: ${outcome.detail}.`);
    else payloads.set(key, Buffer.from(JSON.stringify(parseExact(text))));
  }
  if (faults.length === 0) return payloads;
  throw new CliError([...faults, 'Nothing was sent; the files stay.'].join('\n'));
}

/** As a shell would: the editor's name may have options. */
async function openEditor(
  editor: string,
  paths: readonly string[],
  directory: string,
): Promise<void> {
  const child = spawn('/bin/sh', ['-c', `${editor} "$@"`, editor, ...paths], { stdio: 'inherit' });
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  if (code === 0) return;
  throw new CliError(
    `${editor} ended with ${code}: nothing was sent. The files are in ${directory}.`,
  );
}
