/** The pages of sources show the files that are run. */
import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const PAGES = 'docs/guide/sources';
const EXAMPLES = 'examples/sources';

test.each(readdirSync(EXAMPLES))('the page of %s shows a pipeline of its folder as it is', (name) => {
  const page = readFileSync(`${PAGES}/${name}.md`, 'utf8');
  const shown = [...page.matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(([, text]) => text);
  const folder = `${EXAMPLES}/${name}/pipelines`;
  const files = readdirSync(folder).map((file) => readFileSync(`${folder}/${file}`, 'utf8'));
  expect(shown.length).toBeGreaterThan(0);
  expect(shown.filter((text) => !files.includes(text ?? ''))).toEqual([]);
});
