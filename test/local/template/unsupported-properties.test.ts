import fc from 'fast-check';
import { expect, test } from 'vitest';
import { unsupportedProperties } from '#local/template/unsupported-properties';

const known = {
  implemented: ['Name', 'Target.Arn', 'Rules.When.Hour'],
  inert: ['Tags', 'Target.Retry'],
};

test.each([
  [{ Name: 'n', Tags: [{ Key: 'a', Value: 'b' }] }, []],
  [{ Colour: 'red' }, ['Colour']],
  [{ Target: { Arn: 'a', Retry: { Deep: { Er: 1 } } } }, []],
  [{ Target: { Arn: 'a', Input: '{}' } }, ['Target.Input']],
  [{ Target: 'not an object' }, ['Target']],
  [
    { Rules: [{ When: { Hour: 1 } }, { When: { Minute: 2 }, Then: 3 }] },
    ['Rules.When.Minute', 'Rules.Then'],
  ],
  [{ Rules: [{ Then: 1 }, { Then: 2 }] }, ['Rules.Then']],
  [{ Nam: 1, Named: 2 }, ['Nam', 'Named']],
])('%j has %j that are not known', (properties, expected) => {
  expect(unsupportedProperties(properties, known)).toEqual(expected);
});

test('what is listed is never unsupported, whatever it holds', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), (name, tags) => {
      expect(unsupportedProperties({ Name: name, Tags: tags }, known)).toEqual([]);
    }),
  );
});

test('what is not listed is always told, by its name', () => {
  const name = fc
    .string({ minLength: 1 })
    .filter((text) => !/^(Name|Tags|Target|Rules)$/.test(text));
  fc.assert(
    fc.property(name, fc.jsonValue(), (other, value) => {
      expect(unsupportedProperties({ [other]: value }, known)).toEqual([other]);
    }),
  );
});
