import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compareVersions, inLayers, newestFirst, standAfter } from '#core/record/fold';
import type { Standing, Versioned } from '#core/record/fold';

const versioned: fc.Arbitrary<Versioned> = fc.record({
  version: fc.constantFrom('08', '09', '10'),
  observed: fc.constantFrom('1-1', '1-2', '2-1'),
});
const same = (thing: Versioned) => thing;

test('the first outranks or equals every other', () =>
  fc.assert(
    fc.property(fc.array(versioned, { minLength: 1 }), (all) => {
      const [first] = newestFirst(all, same);
      for (const other of all) {
        expect(first!.version + first!.observed >= other.version + other.observed).toBe(true);
      }
    }),
  ));

test('nothing is lost or added', () =>
  fc.assert(
    fc.property(fc.array(versioned), (all) => {
      const ranked = newestFirst(all, same);
      expect(ranked.length).toBe(all.length);
      expect(new Set(ranked)).toEqual(new Set(all));
    }),
  ));

test('equals keep the order they came in, as a table keeps the first', () => {
  const twins = ['first', 'second'].map((name) => ({ name, version: '09', observed: '1-1' }));
  expect(newestFirst(twins, same)).toEqual(twins);
});

test('the version decides before the observation', () => {
  const late = { version: '08', observed: '2-1' };
  const high = { version: '09', observed: '1-1' };
  expect(compareVersions(late, high)).toBeLessThan(0);
  expect(compareVersions(high, { ...high, observed: '1-2' })).toBeLessThan(0);
  expect(compareVersions(high, { ...high })).toBe(0);
});

/** What is seen of one key, in turn: an empty version is a delete without one. */
const life = fc
  .array(fc.constantFrom('', '08', '09', '10'), { minLength: 1, maxLength: 10 })
  .map((versions) => versions.map((version, at) => ({ version, observed: `1-${at}` })));

/** Looked for among all: what no later delete without a version takes away, and no other outranks. */
function survivorOf(events: readonly Versioned[]): Versioned | undefined {
  const left = events.slice(events.findLastIndex(({ version }) => version === '') + 1);
  return left.find((one) =>
    left.every((other) => one.version + one.observed >= other.version + other.observed),
  );
}

const isGone = (standing: Standing) => standing.observed === standing.cleared;
const endOf = (events: readonly Versioned[]) =>
  events.reduce<Standing | undefined>(
    (standing, event) => standAfter(standing, event) ?? standing,
    undefined,
  );

test('what came in turn the first time ends alike, however often it comes again', () =>
  fc.assert(
    fc.property(life, fc.array(fc.tuple(fc.nat(9), fc.nat(9))), (events, again) => {
      const came = events.flatMap((event, at) => [
        event,
        ...again.flatMap(([after, which]) =>
          after === at && which <= at ? [events[which] as Versioned] : [],
        ),
      ]);
      const standing = endOf(came);
      const survivor = survivorOf(events);
      expect(standing && !isGone(standing) ? standing.observed : undefined).toBe(
        survivor?.observed,
      );
    }),
  ));

test('a run in layers ends as its events one by one, whatever stood before it', () =>
  fc.assert(
    fc.property(life, fc.nat(10), (events, cut) => {
      const before = endOf(events.slice(0, cut));
      const layers = inLayers(events.slice(cut), (event) => event);
      expect(
        layers.flat().toSorted((a, b) => Number(a.observed.slice(2)) - Number(b.observed.slice(2))),
      ).toEqual(events.slice(cut));
      const firsts = layers.flatMap(([first]) => first ?? []);
      const after = firsts.reduce(
        (standing, event) => standAfter(standing, event) ?? standing,
        before,
      );
      expect(after?.observed).toBe(endOf(events)?.observed);
      expect(after && isGone(after)).toBe(survivorOf(events) === undefined);
    }),
  ));

test('a delete without a version keeps the last known one, and outranks it', () => {
  const known = { version: '09', observed: '1-3' };
  const gone = standAfter(known, { version: '', observed: '1-5' });
  expect(gone).toEqual({ version: '09', observed: '1-5', cleared: '1-5' });
  expect(standAfter(gone, { version: '10', observed: '1-4' })).toBeUndefined();
  expect(standAfter(gone, { version: '08', observed: '1-6' })).toMatchObject({ version: '08' });
});
