/** A folder for one synthesis, swept when its process could not do it. */
import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

const NAME = /^cdk\.out-(\d+)$/;

/** Name this process's folder in `directory` and remove those of processes that are gone. */
export async function scratchFolder(directory: string): Promise<string> {
  await mkdir(directory, { recursive: true });
  for (const name of await readdir(directory)) {
    const owner = NAME.exec(name)?.[1];
    if (owner === undefined || isAlive(Number(owner))) continue;
    await rm(join(directory, name), { recursive: true, force: true });
  }
  return join(directory, `cdk.out-${process.pid}`);
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
