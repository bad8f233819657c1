import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openCloudStorage } from '#local/cloud-storage';

const newFolder = () => mkdtempSync(join(tmpdir(), 'penstock-keep-'));

test('what is kept is there again, and without a folder nothing is', () => {
  const keepDir = newFolder();
  const first = openCloudStorage(keepDir);
  first.storage.exec('CREATE TABLE kept (n INTEGER); INSERT INTO kept VALUES (7)');
  first.close();
  const second = openCloudStorage(keepDir);
  expect(second.storage.prepare('SELECT n FROM kept').get()).toEqual({ n: 7 });
  second.close();
  const memory = openCloudStorage();
  expect(() => memory.storage.prepare('SELECT n FROM kept')).toThrow('no such table');
  memory.close();
});

test('a second cloud is told who has the folder', () => {
  const keepDir = newFolder();
  const first = openCloudStorage(keepDir);
  expect(() => openCloudStorage(keepDir)).toThrow(
    `Another local cloud (process ${process.pid}) has ${keepDir}: stop it, or keep this one elsewhere.`,
  );
  first.close();
  openCloudStorage(keepDir).close();
  expect(readdirSync(keepDir)).toEqual(['cloud.sqlite']);
});

test('a folder whose cloud was killed is free, and what was written is there', async () => {
  const keepDir = newFolder();
  const script = `
    import { openCloudStorage } from '#local/cloud-storage';
    const { storage } = openCloudStorage(${JSON.stringify(keepDir)});
    storage.exec('CREATE TABLE kept (n INTEGER); INSERT INTO kept VALUES (11)');
    console.log('open');
    setInterval(() => {}, 1_000);`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(child.stdout, 'data');
  expect(() => openCloudStorage(keepDir)).toThrow(`(process ${child.pid})`);
  child.kill('SIGKILL');
  await once(child, 'exit');
  const next = openCloudStorage(keepDir);
  expect(next.storage.prepare('SELECT n FROM kept').get()).toEqual({ n: 11 });
  next.close();
});
