/** The guide to one's own source: its file is right, and each mistake is answered as it says. */
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { loadPipelines } from '#config/load-pipelines';
import { scratch } from '#test/clouds/app';

const page = readFileSync('docs/guide/own-source.md', 'utf8');
const file = /^```ts\n([\s\S]*?)^```$/m.exec(page)?.[1] ?? '';
/** What is written in the file, and what `check` says of it. */
const mistakes = [...page.matchAll(/^\| `(.+?),?` \| ``(tickets\.ts: .+)`` \|$/gm)].map(
  ([, mistake = '', sentence = '']) => [mistake, sentence] as const,
);

async function faultsOf(text: string): Promise<readonly string[]> {
  const directory = await scratch();
  await writeFile(join(directory, 'tickets.ts'), text);
  const outcome = await loadPipelines({ directory, stage: 'dev' });
  return outcome.kind === 'faulty' ? outcome.faults : [];
}

/** Put in place of the member of that name, or beside the others where there is none. */
function withMistake(mistake: string): string {
  const name = mistake.slice(0, mistake.indexOf(':'));
  const member = new RegExp(String.raw`\b${name}: (?:\{.*?\}|'[^']*')`, 'i');
  if (member.test(file)) return file.replace(member, () => mistake);
  return file.replace("name: 'tickets',", (first) => `${first} ${mistake},`);
}

test('nothing is wrong with the file of the guide', async () => {
  expect(await faultsOf(file)).toEqual([]);
});

test('the guide tells of mistakes', () => {
  expect(mistakes.length).toBeGreaterThanOrEqual(6);
});

test.each(mistakes)('`%s` is answered as the guide says', async (mistake, sentence) => {
  expect(await faultsOf(withMistake(mistake))).toContain(sentence);
});
