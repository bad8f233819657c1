import { expect } from 'vitest';
import type { InvocationFault } from '#local/contracts';
import { ruleTest } from '#test/local/rules/rule-test';
import { bench, settingsOf, until } from './asset.ts';

/** The first invocation has the fault; the others have none. */
function faulty(source: string, fault: InvocationFault, timeoutSec = 20) {
  const faults = [fault];
  const onInvoke = () => faults.shift();
  return bench(settingsOf(source, { timeoutSec }), { faults: { onInvoke } });
}

const ENTERS = `
  export const handler = async (e) => {
    console.log('entered');
    if (e.passes) return 'passed';
    await new Promise((resolve) => setTimeout(resolve, 60_000));
  };`;

ruleTest('lambda', 'fault-kill', async () => {
  const { invoke, lines, functions } = faulty(ENTERS, { kind: 'kill', afterMs: 100 });
  expect(await invoke()).toMatchObject({
    errorType: 'Runtime.ExitError',
    payload: expect.stringContaining('signal: killed'),
  });
  expect(lines.map(({ line }) => line)).toEqual(['entered']);
  expect(functions.pids()).toEqual([]);
  expect(await invoke({ passes: true })).toMatchObject({ payload: '"passed"' });
});

ruleTest(
  'lambda',
  'fault-kill',
  async () => {
    const { invoke } = faulty(ENTERS, { kind: 'kill', afterMs: 10_000 });
    const [pid, other] = [await invoke({ passes: true }), await invoke({ passes: true })];
    expect([pid, other]).toMatchObject([{ payload: '"passed"' }, { payload: '"passed"' }]);
  },
  'not one that has answered by then',
);

ruleTest('lambda', 'fault-freeze', async () => {
  const source = `export const handler = async () => { for (let n = 0; ; n++) { console.log(n); await new Promise((r) => setTimeout(r, 5)); } };`;
  const { invoke, lines, functions } = faulty(source, { kind: 'freeze', afterMs: 50 }, 1);
  const result = await invoke();
  expect(result).toMatchObject({ errorType: 'Sandbox.Timedout' });
  // It was still for most of its second.
  expect(lines.length).toBeLessThan(100);
  await until(() => functions.pids().length === 0);
});

ruleTest('lambda', 'fault-skew', async () => {
  const source = `
    const kept = Date.now;
    export const handler = async (e, c) => {
      const monotonic = performance.now();
      await new Promise((resolve) => setTimeout(resolve, 20));
      return {
        now: Date.now(), kept: kept(), made: new Date().getTime(), text: Date.parse(Date()),
        given: new Date(7).getTime(), isDate: new Date() instanceof Date,
        waited: performance.now() - monotonic, left: c.getRemainingTimeInMillis(),
      };
    };`;
  const skewMs = -3_600_000;
  const { invoke } = faulty(source, { kind: 'skew', skewMs });
  const said = async () => JSON.parse(((await invoke()) as { payload: string }).payload);
  const about = (ms: number) => expect.closeTo(Date.now() + ms, -5);
  const [skewed, after] = [await said(), await said()];
  for (const [one, ms] of [
    [skewed, skewMs],
    [after, 0],
  ]) {
    expect(one).toMatchObject({ now: about(ms), kept: about(ms), made: about(ms) });
    expect(one).toMatchObject({ text: about(ms), given: 7, isDate: true });
    expect(one.left).toBeGreaterThan(0);
    expect(one.left).toBeLessThanOrEqual(20_000);
    expect(one.waited).toBeLessThan(20_000);
  }
});
