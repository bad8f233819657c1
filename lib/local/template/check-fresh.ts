/** Says whether cdk.out is what today's sources would synthesize. */
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** What a synthesized app is made from, relative to the repository. */
export const SYNTH_INPUTS: readonly string[] = [
  'bin/app.mjs',
  'bin/app.ts',
  'lib/infra',
  'lib/config',
  'functions',
  'pipelines',
  'lib/core',
  'lib/ports',
  'lib/pipeline',
  'lib/adapters',
  'package.json',
  'cdk.json',
];

/**
 * Compare the manifest's age with that of every file under `roots` (files or folders).
 *
 * @returns a sentence saying what to do, or undefined when the assembly is current.
 */
export function checkFresh(cdkOut: string, roots: readonly string[]): string | undefined {
  const manifest = join(resolve(cdkOut), 'manifest.json');
  if (!existsSync(manifest)) {
    return `There is no synthesized app in ${resolve(cdkOut)}: run \`npx cdk synth\` first.`;
  }
  const synthesizedMs = statSync(manifest).mtimeMs;
  for (const file of roots.flatMap(filesUnder)) {
    if (statSync(file).mtimeMs > synthesizedMs) {
      return `${file} changed after ${resolve(cdkOut)} was synthesized: run \`npx cdk synth\` again.`;
    }
  }
  return undefined;
}

function filesUnder(root: string): readonly string[] {
  if (!existsSync(root)) return [];
  if (!statSync(root).isDirectory()) return [root];
  return readdirSync(root, { withFileTypes: true }).flatMap((entry) => {
    const path = join(root, entry.name);
    if (entry.isDirectory()) return entry.name === 'node_modules' ? [] : filesUnder(path);
    return entry.isFile() ? [path] : [];
  });
}
