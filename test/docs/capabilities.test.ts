/** The page of what each cloud does is what the tests skip by. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { renderCapabilities } from '#test/clouds/render-capabilities';

test('the page of the clouds is what the table says: `npm run docs` writes it', () => {
  expect(readFileSync('docs/reference/clouds.md', 'utf8')).toBe(renderCapabilities());
});

test('a row names the test that asks it, and a gap its reason and its source', () => {
  const asked = { name: 'cdk-deploy', title: 'a title', path: 'test/whole/made-up.test.ts' };
  const page = renderCapabilities([asked]).split('\n');
  const [row, ...gaps] = page.filter((line) => line.includes('cdk deploys, compares'));
  expect(row).toBe(
    '| cdk deploys, compares and destroys the app | **no** | yes | not run | ' +
      'a title: [made-up.test.ts](../../test/whole/made-up.test.ts) |',
  );
  expect(gaps).toEqual([expect.stringMatching(/\| local cloud \| .+ \| docs\/decisions\/.+ \|  \|$/)]);
  const tried = page.filter((line) => line.includes('is closed and read to its end'));
  expect(tried.at(-1)).toMatch(/\| LocalStack \| .+ \| localstack 4\.14\.0, .+ \| tried \|$/);
});
