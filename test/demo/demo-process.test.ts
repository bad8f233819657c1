/** The sources as processes: what `penstock demo` relies on. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { expect, test } from 'vitest';

function start(file: string, ...args: string[]) {
  const child = spawn(process.execPath, [`lib/demo/${file}`, ...args], {
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const firstLine = async (): Promise<string> => {
    for await (const line of createInterface({ input: child.stdout })) return line;
    return '';
  };
  return { child, firstLine };
}

test.each([
  ['orders-api.ts', ['--changes', '200']],
  ['payments-api.ts', ['--changes', '200']],
  ['quakes-api.ts', []],
])(
  '%s says where it listens in one line of JSON, and ends when its parent closes the pipe',
  async (file, args) => {
    const { child, firstLine } = start(file, ...args);
    const { url } = JSON.parse(await firstLine()) as { url: string };
    const truth = await fetch(`${url}/truth?rows=none`);
    expect(truth.ok).toBe(true);
    await truth.text();
    child.stdin.end();
    const [code] = (await once(child, 'exit')) as [number | null];
    expect(code).toBe(0);
    await expect(fetch(`${url}/truth`)).rejects.toThrow('fetch failed');
  },
);

test('a taken port is one sentence and exit code 1', async () => {
  const first = start('quakes-api.ts');
  const { url } = JSON.parse(await first.firstLine()) as { url: string };
  const second = start('quakes-api.ts', '--port', new URL(url).port);
  let said = '';
  second.child.stderr.on('data', (chunk: Buffer) => {
    said += chunk.toString();
  });
  const [code] = (await once(second.child, 'exit')) as [number | null];
  expect(code).toBe(1);
  expect(said).toMatch(/^The demo source cannot listen on port \d+: .*\n$/);
  first.child.stdin.end();
  await once(first.child, 'exit');
});
