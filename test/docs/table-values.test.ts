/** Each row of the guide's table of values, written and read back. */
import { readFileSync } from 'node:fs';
import { afterAll, expect, test } from 'vitest';
import { itemJson } from '#cli/render/item';
import { parseExact } from '#core/record/exact-json';
import type { JsonObject } from '#core/record/json';
import { embeddedEndpoint } from '#test/contracts/embedded-endpoint';
import { endpointPorts } from '#test/contracts/endpoint-ports';
import { eventOf } from '#test/pipeline/consume-world';

const endpoint = await embeddedEndpoint();
afterAll(endpoint.close);
const { table, item } = await endpointPorts(endpoint).records();

const ABSENT = 'nothing, or `undefined` from a map';
const rows = valueRows(readFileSync('docs/guide/table.md', 'utf8'));

test('the table of values is found', () => expect(rows.length).toBeGreaterThan(15));

test.each(rows)('%s is kept as %s and printed as %s', async (says, holds, prints) => {
  const key = `row-${rows.findIndex(([one]) => one === says)}`;
  const data =
    says === ABSENT
      ? { order_id: key, v: undefined as never }
      : (parseExact(`{"order_id":"${key}","v":${says}}`) as JsonObject);
  const outcome = await table.upsert(eventOf({ key, version: 1, data }));
  const stored = await item(key);
  const { reason } = /^refused: `(?<reason>.*)`$/.exec(holds)?.groups ?? {};
  if (reason !== undefined) {
    expect(outcome).toMatchObject({ kind: 'refused', reason });
    expect([stored, prints]).toEqual([undefined, 'no line']);
    return;
  }
  expect(outcome).toEqual({ kind: 'written' });
  const { v } = stored ?? {};
  expect(v === undefined ? 'no attribute' : JSON.stringify(v)).toBe(holds);
  const { v: printed = 'no line' } = v === undefined ? {} : { v: itemJson({ v }).slice(5, -1) };
  expect(printed).toBe(prints);
});

function valueRows(page: string): readonly (readonly [string, string, string])[] {
  const [, section = ''] = page.split('| a record says | the item holds |');
  const [table = ''] = section.split('\n\n');
  return table
    .split('\n')
    .slice(2)
    .map((line) => {
      const [says = '', holds = '', prints = ''] = line
        .slice(2, -2)
        .split(' | ')
        .map((cell) => cell.replace(/^`([^`]*)`$/, '$1'));
      return [says, holds, prints] as const;
    });
}
