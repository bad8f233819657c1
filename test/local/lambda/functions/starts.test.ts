import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { Clock } from '#local/contracts';
import { ruleTest } from '#test/local/rules/rule-test';
import { bench, realClock, settingsOf } from './asset.ts';

/** Notes each start in a file, then goes on as `first` or as `later` says. */
function starting(first: string, later: string) {
  const notes = join(mkdtempSync(join(tmpdir(), 'penstock-starts-')), 'starts');
  const source = `
    import { appendFileSync, readFileSync } from 'node:fs';
    appendFileSync(${JSON.stringify(notes)}, 'x');
    const count = readFileSync(${JSON.stringify(notes)}).length;
    if (count === 1) { ${first} } else { ${later} }
    export const handler = async () => count;`;
  return { source, starts: () => readFileSync(notes, 'utf8').length };
}

const FAILS = `throw new Error('start ' + count);`;
const HANGS = 'await new Promise((resolve) => setTimeout(resolve, 600_000));';

ruleTest('lambda', 'init-again', async () => {
  const { source, starts } = starting(FAILS, '');
  const { invoke, platform } = bench(settingsOf(source));
  expect(await invoke()).toMatchObject({ kind: 'ok', payload: '2' });
  expect(starts()).toBe(2);
  expect(platform[0]!.line).toMatch(
    /^INIT_REPORT Init Duration: \d+\.\d\d ms\tPhase: init\tStatus: error\t$/,
  );
});

ruleTest(
  'lambda',
  'init-again',
  async () => {
    const { source, starts } = starting(FAILS, FAILS);
    const { invoke } = bench(settingsOf(source));
    expect(await invoke()).toMatchObject({
      errorType: 'Error',
      payload: expect.stringContaining('start 2'),
    });
    expect(starts()).toBe(2);
  },
  'once',
);

/** Ten seconds, and the timeout, pass in a hundredth of their time. */
const hasty: Clock = {
  nowMs: realClock.nowMs,
  setTimer: (delayMs, fire) => realClock.setTimer(delayMs / 10, fire),
};

ruleTest('lambda', 'init-timeout', async () => {
  const { source } = starting(HANGS, '');
  const { invoke, platform } = bench(settingsOf(source, { timeoutSec: 100 }), { clock: hasty });
  expect(await invoke()).toMatchObject({ kind: 'ok', payload: '2' });
  expect(platform[0]!.line).toContain('Status: timeout');
});

ruleTest(
  'lambda',
  'init-timeout',
  async () => {
    const { source } = starting(HANGS, HANGS);
    const { invoke } = bench(settingsOf(source, { timeoutSec: 12 }), { clock: hasty });
    expect(await invoke()).toMatchObject({
      errorType: 'Sandbox.Timedout',
      payload: expect.stringContaining('Task timed out after 12.00 seconds'),
    });
  },
  'and then times out',
);
