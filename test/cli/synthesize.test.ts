/** Our road to a template and CDK's own lead to the same place. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { CliError } from '#cli/cli-error';
import { synthesize } from '#cli/cloud/synthesize';

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
