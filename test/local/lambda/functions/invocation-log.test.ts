import { expect, test } from 'vitest';
import { invocationLog } from '#local/lambda/functions/invocation-log';
import { ruleTest } from '#test/local/rules/rule-test';

ruleTest(
  'lambda',
  'invoke-log-tail',
  () => {
    const log = invocationLog('fn', () => undefined);
    log.stdout.push(Buffer.from('of the start\n'));
    log.begin('id');
    log.stdout.push(Buffer.from('short\n'));
    expect(log.tail()).toBe('short\n');
    log.stdout.push(Buffer.from(`${'é'.repeat(4_000)}\n`));
    // A character of two bytes does not fit into the last odd one.
    expect(log.tail()).toBe(`${'é'.repeat(2_047)}\n`);
  },
  'in whole characters',
);

test('what Lambda writes is told from what the function writes', () => {
  const lines: unknown[] = [];
  const log = invocationLog('fn', (line) => lines.push(line));
  log.platform('START');
  log.stderr.push(Buffer.from('own\n'));
  expect(lines).toEqual([
    { functionName: 'fn', line: 'START', isPlatform: true },
    { functionName: 'fn', line: 'own' },
  ]);
});
