/** `npm run mutate`: changes the publisher's core a little at a time, and asks whether a test notices. */
import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { EQUIVALENTS } from './equivalents.ts';
import type { Mutant } from './equivalents.ts';

const HELP = `npm run mutate: mutants of lib/core/batch and lib/core/partition that no test notices.

Installs Stryker into .penstock/ on first use, as test/mutation/ pins it. Takes some minutes. The exit code is 1 when a
mutant survives that test/mutation/equivalents.ts does not give a reason for, or when one of those
does not survive any more.

Example:
  npm run mutate`;

const FOLDER = import.meta.dirname;
const INSTALLED = '.penstock/stryker';
const REPORT = '.penstock/mutation.json';
const SURVIVES = ['Survived', 'NoCoverage'];

interface Report {
  readonly files: Readonly<
    Record<
      string,
      {
        readonly source: string;
        readonly mutants: readonly {
          readonly mutatorName: string;
          readonly replacement?: string;
          readonly status: string;
          readonly location: { readonly start: Place; readonly end: Place };
        }[];
      }
    >
  >;
}

/** Both from 1. */
interface Place {
  readonly line: number;
  readonly column: number;
}

if (process.argv.includes('--help')) console.log(HELP);
else process.exitCode = mutate();

function mutate(): number {
  if (!isInstalled() && !install()) return 1;
  const stryker = join(INSTALLED, 'node_modules/.bin/stryker');
  if (!run(stryker, ['run', join(FOLDER, 'stryker.config.json')])) return 1;

  const { all, surviving, slow } = read(JSON.parse(readFileSync(REPORT, 'utf8')) as Report);
  const unknown = surviving.filter((mutant) => !EQUIVALENTS.some((one) => isSame(one, mutant)));
  // One that only takes longer may run out of time, or not.
  const gone = EQUIVALENTS.filter(
    (one) => ![...surviving, ...slow].some((mutant) => isSame(one, mutant)),
  );
  for (const mutant of unknown) console.log(`survives: ${textOf(mutant)}`);
  for (const mutant of gone) console.log(`listed, and does not survive: ${textOf(mutant)}`);
  const noticed = all - surviving.length;
  console.log(
    `${all} mutants: ${noticed} noticed, ${surviving.length - unknown.length} equivalent, ${unknown.length} survive.`,
  );
  return unknown.length + gone.length > 0 ? 1 : 0;
}

/** Whether what is there is what the lock file asks for. */
function isInstalled(): boolean {
  const lockOf = (folder: string) => join(folder, 'package-lock.json');
  if (!existsSync(join(INSTALLED, 'node_modules')) || !existsSync(lockOf(INSTALLED))) return false;
  return readFileSync(lockOf(FOLDER), 'utf8') === readFileSync(lockOf(INSTALLED), 'utf8');
}

/** Not below test/: what looks at every file there would look at Stryker's too. */
function install(): boolean {
  mkdirSync(INSTALLED, { recursive: true });
  for (const file of ['package.json', 'package-lock.json', '.npmrc']) {
    copyFileSync(join(FOLDER, file), join(INSTALLED, file));
  }
  return run('npm', ['ci', '--prefix', INSTALLED, '--ignore-scripts']);
}

function run(command: string, args: readonly string[]): boolean {
  return spawnSync(command, args, { stdio: 'inherit' }).status === 0;
}

function read({ files }: Report): {
  readonly all: number;
  readonly surviving: readonly Mutant[];
  readonly slow: readonly Mutant[];
} {
  const mutants = Object.entries(files).flatMap(([file, { source, mutants: own }]) =>
    own.map(({ status, location, replacement = '' }) => ({
      status,
      file,
      line: (source.split('\n')[location.start.line - 1] ?? '').trim(),
      original: cut(source, location),
      replacement,
    })),
  );
  return {
    all: mutants.length,
    surviving: mutants.filter(({ status }) => SURVIVES.includes(status)),
    slow: mutants.filter(({ status }) => status === 'Timeout'),
  };
}

function cut(source: string, { start, end }: { start: Place; end: Place }): string {
  const lines = source.split('\n').slice(start.line - 1, end.line);
  const last = lines.length - 1;
  return lines
    .map((line, at) =>
      line.slice(at === 0 ? start.column - 1 : 0, at === last ? end.column - 1 : undefined),
    )
    .join('\n');
}

function isSame(one: Mutant, other: Mutant): boolean {
  return textOf(one) === textOf(other);
}

function textOf({ file, line, original, replacement }: Mutant): string {
  return `${file}: in \`${line}\`, \`${original}\` became \`${replacement}\``;
}
