/** Bundles every function of every pipeline in one call, into a folder each. */
import { mkdirSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { build } from 'esbuild';
import type { BuildFailure, Plugin } from 'esbuild';

/** A function's bundle: its folder's name, and the module that is bundled. */
export interface BundleEntry {
  readonly name: string;
  /** JavaScript; it exists only here. Its imports are absolute paths. */
  readonly source: string;
}

const NAMESPACE = 'penstock-entry';

/** Dependencies that are still CommonJS ask for Node's own modules by `require`. */
const REQUIRE_BANNER =
  "import{createRequire as __penstockRequire}from'node:module';" +
  'const require=__penstockRequire(import.meta.url);';

/**
 * Write `<directory>/<name>/index.mjs` for each entry; what stood in `directory` is removed.
 *
 * The same sources give the same bytes on every machine: nothing of a path, a time or another
 * entry is in them, so an asset's hash changes only when its function does.
 *
 * @throws {Error} in one sentence that names the file and line which cannot be bundled.
 */
export async function bundle(ask: {
  readonly entries: readonly BundleEntry[];
  readonly directory: string;
  /** The repository: where packages are found. */
  readonly root: string;
}): Promise<ReadonlyMap<string, string>> {
  const directory = resolve(ask.directory);
  rmSync(directory, { recursive: true, force: true });
  mkdirSync(directory, { recursive: true });
  await build({
    absWorkingDir: ask.root,
    entryPoints: ask.entries.map(({ name }) => ({
      in: `${NAMESPACE}:${name}`,
      out: join(name, 'index'),
    })),
    outdir: directory,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node24',
    // Left to itself, esbuild takes the CommonJS build of packages, which no tree shaking shortens.
    mainFields: ['module', 'main'],
    minify: true,
    legalComments: 'none',
    banner: { js: REQUIRE_BANNER },
    logLevel: 'warning',
    plugins: [virtualEntries(ask), credentialsOfLambda(ask.root)],
  }).catch((error: unknown) => {
    throw new Error(`The functions cannot be bundled: ${buildSentence(error)}`, { cause: error });
  });
  return new Map(ask.entries.map(({ name }) => [name, join(directory, name)]));
}

/** `pipelines/handlers/mail.ts:3: Could not resolve "nodemailer"`, the first of them. */
function buildSentence(error: unknown): string {
  const [first] = (error as Partial<BuildFailure>).errors ?? [];
  if (first === undefined) return String(error);
  const { location, text } = first;
  return location === null ? text : `${location.file}:${location.line}: ${text}`;
}

function virtualEntries(ask: {
  readonly entries: readonly BundleEntry[];
  readonly root: string;
}): Plugin {
  const sources = new Map(ask.entries.map(({ name, source }) => [name, source]));
  return {
    name: NAMESPACE,
    setup({ onResolve, onLoad }) {
      onResolve({ filter: new RegExp(`^${NAMESPACE}:`) }, ({ path }) => ({
        path: path.slice(NAMESPACE.length + 1),
        namespace: NAMESPACE,
      }));
      onLoad({ filter: /./, namespace: NAMESPACE }, ({ path }) => ({
        contents: sources.get(path) ?? '',
        resolveDir: ask.root,
        loader: 'js',
      }));
    },
  };
}

/**
 * Lambda hands a function its credentials in the environment: the SDK's search for others, through
 * files, single sign-on and instance roles, would be a third of every bundle.
 *
 * @source Lambda Developer Guide, defined runtime environment variables (2026-11).
 */
function credentialsOfLambda(root: string): Plugin {
  const namespace = 'penstock-credentials';
  return {
    name: namespace,
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^@aws-sdk\/credential-provider-node$/ }, ({ path }) => ({
        path,
        namespace,
      }));
      onLoad({ filter: /./, namespace }, () => ({
        contents: "export { fromEnv as defaultProvider } from '@aws-sdk/credential-provider-env';",
        resolveDir: root,
      }));
    },
  };
}
