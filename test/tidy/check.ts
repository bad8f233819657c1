/** `npm run check`: format, lint, types, dead code and the tidy tests, side by side. */
import { spawn } from 'node:child_process';
import { performance } from 'node:perf_hooks';

const CHECKS: Readonly<Record<string, string>> = {
  format: 'oxfmt --check',
  lint: 'oxlint --type-aware --deny-warnings',
  types: 'tsc -p .',
  'core types': 'tsc -p lib/core',
  'dead code': 'knip',
  tidy: 'vitest run test/tidy --reporter=dot',
};

if (process.argv.includes('--help')) {
  console.log(
    'npm run check: format, lint, types, dead code, import laws.\n\nExample: npm run check',
  );
} else {
  const results = await Promise.all(Object.entries(CHECKS).map(([name, line]) => run(name, line)));
  if (results.includes(false)) process.exitCode = 1;
}

async function run(name: string, line: string): Promise<boolean> {
  const start = performance.now();
  const child = spawn(line, { shell: true, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  console.log(
    `${code === 0 ? 'ok  ' : 'FAIL'} ${name} (${seconds} s)${code === 0 ? '' : `: ${line}`}`,
  );
  if (code !== 0) console.log(output.trimEnd());
  return code === 0;
}
