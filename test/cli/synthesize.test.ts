/** Our road to a template and CDK's own lead to the same place. */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { choosePipelines } from '#cli/choose-pipelines';
import { CliError } from '#cli/cli-error';
import { synthesize } from '#cli/cloud/synthesize';
import { SCRATCH_DIRECTORY } from '#cli/project';

const scratch = () => mkdtempSync(join(tmpdir(), 'penstock-synth-'));
const templatesOf = (directory: string) =>
  Object.fromEntries(
    readdirSync(directory)
      .filter((file) => file.endsWith('.template.json'))
      .map((file) => [file, readFileSync(join(directory, file), 'utf8')]),
  );

test('the templates are byte for byte those of `cdk synth`', async () => {
  const [ours, theirs] = [scratch(), scratch()];
  await synthesize({ stage: 'demo', cdkOut: ours, env: process.env });
  const cdk = spawnSync(
    'node_modules/.bin/cdk',
    ['synth', '--quiet', '--all', '--output', theirs, '--context', 'stage=demo', '--no-notices'],
    { encoding: 'utf8' },
  );
  expect(cdk.stderr + String(cdk.status)).toBe(`${cdk.stderr}0`);
  expect(Object.keys(templatesOf(ours)).length).toBeGreaterThanOrEqual(5);
  expect(templatesOf(ours)).toEqual(templatesOf(theirs));
});

test('an app that cannot be synthesized is told in the app’s own words', async () => {
  const wrong = synthesize({ stage: 'No-Such-Stage', cdkOut: scratch(), env: process.env });
  await expect(wrong).rejects.toThrow(CliError);
  await expect(wrong).rejects.toThrow(/stage 'No-Such-Stage' must be/);
});

test('one pipeline among several is synthesized with its handler, which lies beside its file', async () => {
  const directory = mkdtempSync(join(SCRATCH_DIRECTORY, 'two-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  cpSync('examples/handler/pipelines', directory, { recursive: true });
  cpSync('pipelines/quakes.ts', join(directory, 'quakes.ts'));
  const { pipelinesDirectory = '' } = await choosePipelines(['shop'], 'demo', directory);
  onTestFinished(() => rmSync(pipelinesDirectory, { recursive: true }));
  const cdkOut = scratch();
  await synthesize({ stage: 'demo', pipelinesDirectory, cdkOut, env: process.env });
  expect(Object.keys(templatesOf(cdkOut)).join()).not.toContain('quakes');
  const bundle = join(cdkOut, '.bundles/penstock-demo-shop-consume-shipping/index.mjs');
  expect(readFileSync(bundle, 'utf8')).toContain('the shipping service answered');
});
