import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { InvokeResult } from '#local/contracts';
import { ruleTest } from '#test/local/rules/rule-test';
import { asset, bench, settingsOf } from './asset.ts';

const bodyOf = (result: InvokeResult) => result.kind !== 'throttled' && JSON.parse(result.payload);

/** Invokes a function of these files once. */
async function answerOf(handler: string, files: Readonly<Record<string, string>>) {
  const assetDir = asset('', 'unused.txt');
  for (const [name, source] of Object.entries(files)) {
    mkdirSync(join(assetDir, name, '..'), { recursive: true });
    writeFileSync(join(assetDir, name), source);
  }
  return bench(settingsOf('', { assetDir, handler })).invoke();
}

ruleTest('lambda', 'handler-path', async () => {
  const nested = `export const api = { orders: { get: async () => 'nested' } };`;
  expect(
    bodyOf(await answerOf('src/lib/index.api.orders.get', { 'src/lib/index.mjs': nested })),
  ).toBe('nested');
  const byDefault = `export default { handler: async () => 'default' };`;
  expect(bodyOf(await answerOf('index.handler', { 'index.mjs': byDefault }))).toBe('default');
});

ruleTest('lambda', 'handler-modules', async () => {
  const common = `exports.handler = async () => require('node:path').sep;`;
  const module = `import { sep } from 'node:path'; export const handler = async () => sep;`;
  const kinds: Record<string, string>[] = [
    { 'index.js': common },
    { 'index.cjs': common },
    { 'index.mjs': module },
    { 'index.js': module, 'package.json': '{"type":"module"}' },
  ];
  for (const files of kinds) expect(bodyOf(await answerOf('index.handler', files))).toBe('/');
});

ruleTest('lambda', 'handler-experimental', async () => {
  const module = `export const handler = async () => 1;`;
  expect(await answerOf('index.handler', { 'index.js': module })).toMatchObject({
    errorType: 'Runtime.UserCodeSyntaxError',
  });
  const common = `exports.handler = async () => require('./other.mjs').handler();`;
  expect(
    await answerOf('index.handler', { 'index.js': common, 'other.mjs': module }),
  ).toMatchObject({
    errorType: 'Error',
    payload: expect.stringContaining('require() of ES Module'),
  });
});

ruleTest('lambda', 'handler-not-found', async () => {
  const cases: [string, Record<string, string>, string, string][] = [
    ['index.handler', {}, 'Runtime.ImportModuleError', "Error: Cannot find module 'index'"],
    [
      'index.handler',
      { 'index.mjs': `import 'absent'; export const handler = async () => 1;` },
      'Runtime.ImportModuleError',
      'Cannot find package',
    ],
    [
      'index.handler',
      { 'index.mjs': '' },
      'Runtime.HandlerNotFound',
      'index.handler is undefined or not exported',
    ],
    [
      'index.handler',
      { 'index.mjs': 'export const handler = 7;' },
      'Runtime.HandlerNotFound',
      'index.handler is not a function',
    ],
    [
      'index.handler',
      { 'index.mjs': 'export const = 7;' },
      'Runtime.UserCodeSyntaxError',
      'SyntaxError',
    ],
    ['lib/../index.handler', {}, 'Runtime.MalformedHandlerName', 'is not a valid handler name'],
  ];
  for (const [handler, files, errorType, words] of cases) {
    const result = await answerOf(handler, files);
    expect(result).toMatchObject({ kind: 'error', errorType });
    expect(bodyOf(result).errorMessage).toContain(words);
  }
});

const refusesCallbacks = async () => {
  const source = `export const handler = (event, context, done) => done(null, 1);`;
  const result = await answerOf('index.handler', { 'index.mjs': source });
  expect(result).toMatchObject({ errorType: 'Runtime.CallbackHandlerDeprecated' });
  expect(bodyOf(result).errorMessage).toContain('has removed support for callback-based');
};

ruleTest('lambda', 'handler-callback', refusesCallbacks);
ruleTest('lambda', 'handler-one-node', refusesCallbacks);

ruleTest('lambda', 'handler-circular', async () => {
  const source = `export const handler = async () => { const a = {}; a.a = a; return a; };`;
  expect(await answerOf('index.handler', { 'index.mjs': source })).toMatchObject({
    errorType: 'Runtime.JSONStringifyError',
    payload: expect.stringContaining('Unable to stringify response body'),
  });
});
