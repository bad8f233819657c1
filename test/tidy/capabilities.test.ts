/** The table of what clouds lack, and the tests that skip by it, name the same things. */
import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { CAPABILITIES } from '#test/clouds/capabilities';
import type { Capability } from '#test/clouds/capabilities';
import { findCapabilityTests } from '#test/clouds/render-capabilities';

const rows = Object.keys(CAPABILITIES).sort();
const asked = [...new Set(findCapabilityTests().map(({ name }) => name))].sort();

test('every row of the capabilities is asked by a test, and every test has its row', () => {
  expect(asked).toEqual(rows);
});

test('every source in this project that a gap names is there', () => {
  const table: readonly Capability[] = Object.values(CAPABILITIES);
  const named = table
    .flatMap(({ gaps }) => Object.values(gaps))
    .map(({ source }) => source)
    .filter((source) => /^(docs|lib|test)\//.test(source));
  expect(named.filter((path) => !existsSync(path))).toEqual([]);
});
