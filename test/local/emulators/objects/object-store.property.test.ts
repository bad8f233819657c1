import { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { openBuckets } from '#local/emulators/objects/object-store';
import { ruleTest } from '#test/local/rules/rule-test';
import { steppedClock } from '#local/kit/stepped-clock';

function open() {
  const clock = steppedClock(3);
  const buckets = openBuckets(new DatabaseSync(':memory:'), { clock, etagOf: () => '"e"' });
  buckets.createBucket('box');
  buckets.createBucket('crate');
  return buckets;
}

// Few letters, so that prefixes and repeats are common; one beyond the basic plane.
const key = fc.string({
  minLength: 1,
  maxLength: 4,
  unit: fc.constantFrom('a', 'b', '/', 'é', '😀', '\uffee'),
});
const prefix = fc.string({
  maxLength: 2,
  unit: fc.constantFrom('a', 'b', '/', 'é', '😀', '\uffee'),
});

const byBytes = (one: string, other: string) =>
  Buffer.compare(Buffer.from(one), Buffer.from(other));

ruleTest('objects', 'list', () => {
  fc.assert(
    fc.property(fc.array(key), prefix, (keys, start) => {
      const buckets = open();
      for (const name of keys) buckets.put('box', name, Buffer.from(name));
      const expected = [...new Set(keys)].filter((name) => name.startsWith(start)).sort(byBytes);
      expect(buckets.list('box', start)).toEqual(expected);
      expect(buckets.list('crate', '')).toEqual([]);
    }),
  );
});

ruleTest('objects', 'list-pages', () => {
  fc.assert(
    fc.property(fc.array(key), fc.integer({ min: 1, max: 4 }), (keys, countMax) => {
      const buckets = open();
      for (const name of keys) buckets.put('box', name, Buffer.alloc(0));
      const joined: string[] = [];
      for (let after = ''; ;) {
        const page = buckets.page('box', { prefix: '', after, countMax });
        joined.push(...page.map((object) => object.key));
        if (page.length < countMax) break;
        after = page.at(-1)!.key;
      }
      expect(joined).toEqual(buckets.list('box', ''));
    }),
  );
});

ruleTest('objects', 'put-last', () => {
  const step = fc.record({ name: key, body: fc.option(fc.uint8Array({ maxLength: 3 })) });
  fc.assert(
    fc.property(fc.array(step), (steps) => {
      const buckets = open();
      const model = new Map<string, Buffer>();
      for (const { name, body } of steps) {
        if (body === null) {
          buckets.delete('box', name);
          model.delete(name);
        } else {
          buckets.put('box', name, body);
          model.set(name, Buffer.from(body));
        }
      }
      for (const { name } of steps) {
        const found = buckets.get('box', name);
        expect(found && Buffer.from(found)).toEqual(model.get(name));
      }
    }),
  );
});

test('a put into no bucket is refused', () => {
  expect(() => open().put('barrel', 'k', Buffer.alloc(0))).toThrow('There is no bucket barrel.');
});
