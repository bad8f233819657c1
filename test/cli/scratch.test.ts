import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { scratchFolder } from '#cli/cloud/scratch';

test('folders of processes that are gone are swept, all others stay', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'penstock-scratch-'));
  const { pid: gone } = spawnSync(process.execPath, ['--version']);
  for (const name of [`cdk.out-${gone}`, `cdk.out-${process.ppid}`, 'data', 'cdk.out']) {
    mkdirSync(join(directory, name));
    writeFileSync(join(directory, name, 'file'), '');
  }
  expect(await scratchFolder(directory)).toBe(join(directory, `cdk.out-${process.pid}`));
  expect(readdirSync(directory).sort()).toEqual(
    ['cdk.out', `cdk.out-${process.ppid}`, 'data'].sort(),
  );
});
