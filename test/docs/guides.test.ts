/** What the pages tell a reader to type can be typed. */
import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { loadPipelines } from '#config/load-pipelines';
import { commandLines, refusalOf } from './command-lines.ts';
import { guideBlocks } from './guide-blocks.ts';

const DEPLOY = 'docs/guide/first-deploy.md';
const pages = [
  'README.md',
  'CONTRIBUTING.md',
  ...readdirSync('docs', { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.md'))
    .map((file) => `docs/${file}`),
];

test('the program understands every command line of the documentation', () => {
  const lines = pages.flatMap(commandLines);
  expect(lines.length).toBeGreaterThan(50);
  const refused = lines.flatMap((line) => {
    const refusal = refusalOf(line);
    return refusal === undefined ? [] : [`${line.place}: ${line.words.join(' ')}: ${refusal}`];
  });
  expect(refused).toEqual([]);
});

test.each([
  [['plam', 'orders'], "there is no command 'plam'"],
  [['lag', 'orders', '--stge', 'prod'], 'lag has no option --stge'],
  [['get', 'orders'], /get takes 2 to .* arguments, not 1/],
  [['tail', 'orders', '-n'], /argument missing/],
])('a command line that it refuses is found: %j', (words, refusal) => {
  expect(refusalOf({ place: 'made-up.md:1', words })).toMatch(refusal);
});

test('each shell block of the first deployment is run by a test, or says why not', () => {
  const blocks = guideBlocks(DEPLOY);
  expect(blocks.length).toBeGreaterThan(15);
  const open = blocks.filter(({ verdict }) =>
    verdict.kind === 'run'
      ? !['everywhere', 'localstack'].includes(verdict.where)
      : verdict.kind === 'unclassified',
  );
  expect(open.map(({ place }) => place)).toEqual([]);
});

test('what a block must print is in what the page shows', () => {
  const unshown = guideBlocks(DEPLOY).filter(({ verdict, shown }) => {
    const prints = verdict.kind === 'run' ? verdict.prints : undefined;
    return prints !== undefined && shown !== undefined && !shown.includes(prints);
  });
  expect(unshown.map(({ place }) => place)).toEqual([]);
});

test('the stage that the first deployment calls too long is, and one letter less is not', async () => {
  const stage = /check --stage (\w+)/.exec(readFileSync(DEPLOY, 'utf8'))?.[1] ?? '';
  const faults = async (name: string) => {
    const outcome = await loadPipelines({ directory: resolve('pipelines'), stage: name });
    return outcome.kind === 'faulty' ? outcome.faults.join() : '';
  };
  expect(await faults(stage)).toMatch(/would be 1 too long/);
  expect(await faults(stage.slice(1))).toBe('');
});

test('each command that deploys or destroys is given the same contexts', () => {
  const lines = guideBlocks(DEPLOY).flatMap(({ commands }) => commands.split('\n'));
  const deploying = lines.filter((line) => /^npx cdk (deploy|destroy) /.test(line));
  expect(deploying.length).toBeGreaterThan(5);
  const lacking = deploying.filter(
    (line) => !line.includes(' -c stage=$STAGE -c alarmEmail=$ALARM_EMAIL '),
  );
  expect(lacking).toEqual([]);
});

test('only what needs more than this project is left to LocalStack', () => {
  for (const { commands, verdict, place } of guideBlocks(DEPLOY)) {
    if (verdict.kind !== 'run' || verdict.where !== 'everywhere') continue;
    expect(commands, place).not.toMatch(/^(?:aws|npx cdk) /m);
  }
});

test('the LocalStack job of the workflow is the one of its own page', () => {
  const jobOf = (page: string) =>
    /^ {2}localstack:\n(?: {4}.*\n)+/m.exec(readFileSync(page, 'utf8'))?.[0];
  const job = jobOf('docs/guide/ci.md');
  expect(job).toContain('PENSTOCK_REQUIRE: localstack');
  expect(job).toBe(jobOf('docs/guide/localstack.md'));
});
