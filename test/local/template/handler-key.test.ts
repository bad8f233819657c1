import { expect, test } from 'vitest';
import { handlerKey, handlersByName } from '#local/template/handler-key';
import type { PlannedResource } from '#local/template/plan-resources';

const FUNCTION = {
  type: 'AWS::Lambda::Function',
  logicalId: 'Keep4E804DFF',
  name: 'app-keep',
} as PlannedResource;

test.each(['app-keep', 'Keep4E804DFF', 'Keep'])('a function is meant by %s', (key) => {
  expect(handlerKey([key, 'Other'], FUNCTION)).toBe(key);
  expect(handlersByName({ [key]: 7 }, [FUNCTION])).toEqual({ 'app-keep': 7 });
});

test('a handler of no function is told, with the functions that there are', () => {
  expect(() => handlersByName({ Kept: 7 }, [FUNCTION])).toThrow(
    "handlers['Kept'] is of no function: the templates have app-keep.",
  );
  expect(() => handlersByName({ Kept: 7 }, [])).toThrow('the templates have none.');
});
