import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { ALL_RULES } from '#test/local/rules/all-rules';
import { findRuleTests, renderRules } from '#test/local/rules/render-rules';

const asked = new Set(findRuleTests().map(({ service, id }) => `${service} ${id}`));

test('every rule of the local cloud has its test', () => {
  const rules = Object.entries(ALL_RULES).flatMap(([service, ofService]) =>
    Object.keys(ofService).map((id) => `${service} ${id}`),
  );
  expect(rules.filter((rule) => !asked.has(rule))).toEqual([]);
  expect([...asked].filter((rule) => !rules.includes(rule))).toEqual([]);
});

test('the page of rules is what the table says: `npm run docs` writes it', () => {
  expect(readFileSync('docs/reference/local-cloud.md', 'utf8')).toBe(renderRules());
});
