/** A Python environment with boto3, made once and kept; or why there is none. */
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { promisify } from 'node:util';

const run = promisify(execFile);
const BOTO3 = 'boto3==1.44.5';
const PLACE = `node_modules/.cache/${BOTO3.replace('==', '-')}`;

export type PythonEnvironment =
  | { readonly kind: 'ready'; readonly python: string }
  | { readonly kind: 'absent'; readonly reason: string };

/** It is made beside its place and moved there when it is whole: half of one is never used. */
export async function pythonWithBoto3(): Promise<PythonEnvironment> {
  const python = `${PLACE}/bin/python`;
  if (existsSync(python)) return { kind: 'ready', python };
  try {
    await run('python3', ['--version']);
  } catch {
    return { kind: 'absent', reason: 'Python 3 is not installed' };
  }
  const making = `${PLACE}-${process.pid}`;
  try {
    mkdirSync('node_modules/.cache', { recursive: true });
    await run('python3', ['-m', 'venv', making]);
    await run(`${making}/bin/python`, ['-m', 'pip', 'install', '--quiet', BOTO3]);
    if (!existsSync(PLACE)) renameSync(making, PLACE);
    return { kind: 'ready', python };
  } catch (error) {
    const { stderr = String(error) } = error as { stderr?: string };
    return {
      kind: 'absent',
      reason: `boto3 cannot be installed: ${stderr.trim().split('\n').at(-1)}`,
    };
  } finally {
    rmSync(making, { recursive: true, force: true });
  }
}
