import { describe, expect, test } from 'vitest';
import { parseExact } from '#core/record/exact-json';
import { bodyError } from '#core/source/body-error';

const rule = {
  path: ['errors'],
  waitIf: { path: ['errors', '0', 'code'], values: ['THROTTLED', '429', 'true'] },
};

describe('an error in an answer', () => {
  test.each([
    '{}',
    '{"errors":null}',
    '{"errors":false}',
    '{"errors":0}',
    '{"errors":0.0}',
    '{"errors":""}',
  ])('is none in %s', (text) =>
    expect(bodyError(parseExact(text), rule)).toEqual({ kind: 'none' }),
  );

  test.each(['[]', '{"errors":[]}', '{"errors":{}}', '7', 'null'])('is none in %s', (text) =>
    expect(bodyError(parseExact(text), rule)).toEqual({ kind: 'none' }),
  );

  test('is none where the file has no rule', () => {
    expect(bodyError({ errors: ['x'] }, undefined)).toEqual({ kind: 'none' });
  });

  test.each([
    ['{"errors":[{"code":"THROTTLED"}],"data":null}', { kind: 'wait' }],
    ['{"errors":[{"code":429}]}', { kind: 'wait' }],
    ['{"errors":[{"code":true}]}', { kind: 'wait' }],
  ])('asks for a pause where the file says so: %s', (text, outcome) =>
    expect(bodyError(parseExact(text), rule)).toEqual(outcome),
  );

  test.each([
    ['{"errors":[{"code":"DENIED","message":"tok-51"}]}', 'an array'],
    ['{"errors":{"code":"THROTTLED"}}', 'an object with `code`'],
    ['{"errors":true}', 'a boolean'],
    ['{"errors":-1.0}', 'a number'],
    ['{"errors":"tok-51"}', 'a text'],
  ])('is refused otherwise, and not quoted: %s', (text, found) =>
    expect(bodyError(parseExact(text), rule)).toEqual({
      kind: 'refused',
      detail: `the source answered an error: \`errors\` holds ${found}`,
    }),
  );

  test('without kinds to wait for is always refused', () => {
    const told = { path: ['error'], waitIf: undefined };
    expect(bodyError({ error: 'slow down' }, told)).toMatchObject({ kind: 'refused' });
  });
});
