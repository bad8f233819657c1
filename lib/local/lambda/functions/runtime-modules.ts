/** The modules that Lambda's runtime brings along: the AWS SDK, of the project that runs the cloud. */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** @source Lambda Developer Guide, Building with Node.js: the SDK for JavaScript v3 is included. */
const SCOPES = ['@aws-sdk', '@smithy'];

/**
 * The folder for NODE_PATH. It leads to the SDK and to nothing else, so that what a bundle forgot is
 * missed here as it would be there; without an SDK in the project, it is empty.
 */
export function runtimeModules(project: string = process.cwd()): string {
  const found = SCOPES.flatMap((scope) => {
    const path = nearest(project, scope);
    return path === undefined ? [] : [{ scope, path }];
  });
  const digest = createHash('sha256').update(JSON.stringify(found)).digest('hex').slice(0, 16);
  const folder = join(tmpdir(), 'penstock-runtime-modules', digest);
  mkdirSync(folder, { recursive: true });
  for (const { scope, path } of found) link(path, join(folder, scope));
  return folder;
}

/** As Node looks for a module: here, then in the folder above. */
function nearest(folder: string, scope: string): string | undefined {
  const path = join(folder, 'node_modules', scope);
  if (existsSync(path)) return path;
  const above = dirname(folder);
  return above === folder ? undefined : nearest(above, scope);
}

/** Another process may have made it a moment ago. */
function link(target: string, path: string): void {
  try {
    symlinkSync(target, path, 'junction');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}
