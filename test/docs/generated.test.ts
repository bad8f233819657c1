import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { renderCommands } from '#cli/render/reference';
import { helpProgram } from '#cli/run-cli';
import { renderAlarms } from '#infra/alarms/render-alarms';
import { renderReference } from '#config/render-reference';
import { FAULT_KINDS } from '#local/faults/fault-kinds';
import { renderFaultsPage } from '#local/faults/render-faults';

test('the reference of pipeline files is what the schema says: `npm run docs` writes it', () => {
  expect(readFileSync('docs/reference/configuration.md', 'utf8')).toBe(renderReference());
});

test('the reference of alarms is what the plan says: `npm run docs` writes it', () => {
  expect(readFileSync('docs/reference/alarms.md', 'utf8')).toBe(renderAlarms());
});

test('the reference of faults is what their table says: `npm run docs` writes it', () => {
  const page = readFileSync('docs/reference/faults.md', 'utf8');
  expect(page).toBe(renderFaultsPage());
  for (const kind of Object.keys(FAULT_KINDS)) expect(page).toContain(`| \`${kind}\` | `);
});

test('every setting has its meaning on the page', () => {
  const rows = renderReference()
    .split('\n')
    .filter((line) => line.startsWith('| `'));
  expect(rows.length).toBeGreaterThan(50);
  expect(rows.filter((row) => / \|\s+\|$/.test(row))).toEqual([]);
});

test('the page names what an unknown key would be answered with', () => {
  const page = renderReference();
  for (const key of ['source.pagination.next', 'stream.load.onDemand', 'consumers[].batchSize']) {
    expect(page).toContain(`\`${key}\``);
  }
});

test('the reference of commands is what their help says: `npm run docs` writes it', () => {
  expect(readFileSync('docs/reference/commands.md', 'utf8')).toBe(renderCommands(helpProgram()));
});
