/** Completion as a shell does it, and scripts that every command is in. */
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { helpProgram } from '#cli/run-cli';
import { runRecorded } from './run-recorded.ts';

async function script(shell: string): Promise<string> {
  const { code, out } = await runRecorded(['completion', shell]);
  expect(code).toBe(0);
  return out;
}

/** What bash offers after these words, the last of them begun. */
async function offered(...words: string[]): Promise<string[]> {
  const line = words.map((word) => `'${word}'`).join(' ');
  const ask = `COMP_WORDS=(penstock ${line}); COMP_CWORD=${words.length}; _penstock; echo "\${COMPREPLY[*]}"`;
  const { stdout, stderr } = spawnSync('bash', ['-c', `${await script('bash')}\n${ask}`], {
    encoding: 'utf8',
  });
  expect(stderr).toBe('');
  return stdout.trim().split(/\s+/);
}

const pipelines = readdirSync('pipelines').map((file) => file.replace(/\.ts$/, ''));

test('a command is completed from its first letters', async () => {
  expect(await offered('stat')).toEqual(['status']);
  expect(await offered('cursor', 're')).toEqual(['reset']);
});

test('an option of the command is completed', async () => {
  expect(await offered('lag', 'orders', '--js')).toEqual(['--json']);
  expect(await offered('cursor', 'set', '--allow')).toEqual(['--allow-skip']);
});

test('a pipeline is completed from the files of pipelines/', async () => {
  expect(await offered('lag', '')).toEqual(expect.arrayContaining(pipelines));
  expect(await offered('check', '')).not.toEqual(expect.arrayContaining(pipelines));
});

test('the values of an argument are completed', async () => {
  expect(await offered('completion', '')).toEqual(expect.arrayContaining(['bash', 'zsh', 'fish']));
});

test.each(['bash', 'zsh', 'fish'])('every command is in the script for %s', async (shell) => {
  const text = await script(shell);
  for (const command of helpProgram().commands) {
    expect(text).toMatch(new RegExp(`\\b${command.name()}\\b`));
  }
});
