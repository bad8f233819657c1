import fc from 'fast-check';
import { expect, test } from 'vitest';
import { nearestKey } from '#config/nearest-key';

const KEYS = ['param', 'next', 'everyMinutes', 'horizonSec', 'recordAgeMaxHours'];

test.each([
  ['nxt', 'next'],
  ['nextt', 'next'],
  ['nxet', 'next'],
  ['evryMinute', 'everyMinutes'],
  ['horizonsec', 'horizonSec'],
  ['RECORDAGEMAXHOURS', 'recordAgeMaxHours'],
])('%s is meant to be %s', (written, meant) => {
  expect(nearestKey(written, KEYS)).toBe(meant);
});

test('what is like no key is near none', () => {
  expect(nearestKey('zzzzzzzz', KEYS)).toBeUndefined();
  expect(nearestKey('next', [])).toBeUndefined();
});

test('a key with one character wrong, missing or added is found', () => {
  const letter = fc.constantFrom('a', 'b', 'x', 'z');
  fc.assert(
    fc.property(fc.constantFrom(...KEYS), fc.nat(), fc.nat(2), letter, (key, where, how, added) => {
      const place = where % key.length;
      const kept = how === 0 ? place : place + 1;
      const written = key.slice(0, place) + (how === 1 ? '' : added) + key.slice(kept);
      expect(nearestKey(written, KEYS)).toBe(key);
    }),
  );
});
