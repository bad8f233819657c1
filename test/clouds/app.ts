/** Writes and synthesizes the app of a test, in a folder that is gone in the end. */
import { readFileSync, writeFileSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { inject, onTestFinished } from 'vitest';
import { synthesize } from '#cli/cloud/synthesize';
import { loadAll } from '#cli/load';
import { SCRATCH_DIRECTORY } from '#cli/project';
import type { PipelineSettings } from '#config/pipeline-settings';
import type { AppAsk } from './cloud.ts';
import type { LocalStackPlace } from './localstack-cloud.ts';

export interface SynthesizedApp {
  readonly stage: string;
  readonly pipelines: readonly PipelineSettings[];
  readonly cdkOut: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** A folder inside the project, so that a pipeline file finds `#config`; gone in the end. */
export async function scratch(
  whenDone: (remove: () => Promise<void>) => void = onTestFinished,
): Promise<string> {
  const localstack = inject('localstack') as LocalStackPlace | string | undefined;
  const parent = typeof localstack === 'object' ? localstack.directory : SCRATCH_DIRECTORY;
  await mkdir(parent, { recursive: true });
  const directory = await mkdtemp(join(parent, 'test-'));
  whenDone(() => rm(directory, { recursive: true, force: true }));
  return directory;
}

/** No two tests share a stage, so they may share a cloud. */
export const newStage = (): string => `t${crypto.randomUUID().replaceAll('-', '').slice(0, 6)}`;

export async function synthesizeApp(
  { pipeline, env, functionEnv = {} }: AppAsk,
  stage = newStage(),
  whenDone?: (remove: () => Promise<void>) => void,
): Promise<SynthesizedApp> {
  const directory = await scratch(whenDone);
  const pipelinesDirectory = join(directory, 'pipelines');
  await mkdir(pipelinesDirectory);
  for (const text of [pipeline].flat()) {
    const name = /name: '([a-z0-9-]+)'/.exec(text)?.[1] ?? 'unnamed';
    await writeFile(join(pipelinesDirectory, `${name}.ts`), text);
  }
  const cdkOut = join(directory, 'cdk.out');
  const whole = { ...process.env, ...env };
  await synthesize({ stage, cdkOut, pipelinesDirectory, env: whole });
  await addVariables(cdkOut, functionEnv);
  return { stage, pipelines: await loadAll(stage, pipelinesDirectory), cdkOut, env: whole };
}

interface Template {
  readonly Resources: Readonly<Record<string, Resource>>;
}

interface Resource {
  readonly Type: string;
  readonly Properties: {
    readonly FunctionName: string;
    readonly Environment: { readonly Variables: Record<string, unknown> };
  };
}

/** As an operator does by hand: the function's code does not know of it. */
async function addVariables(
  cdkOut: string,
  functionEnv: NonNullable<AppAsk['functionEnv']>,
): Promise<void> {
  for (const file of await readdir(cdkOut)) {
    if (!file.endsWith('-run.template.json')) continue;
    const path = join(cdkOut, file);
    const template = JSON.parse(readFileSync(path, 'utf8')) as Template;
    for (const { Type, Properties } of Object.values(template.Resources)) {
      if (Type !== 'AWS::Lambda::Function') continue;
      const [, variables] =
        Object.entries(functionEnv).find(([end]) => Properties.FunctionName.endsWith(end)) ?? [];
      Object.assign(Properties.Environment.Variables, variables);
    }
    writeFileSync(path, JSON.stringify(template, null, 1));
  }
}
