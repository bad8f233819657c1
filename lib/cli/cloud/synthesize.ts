/** Synthesizes the app as `cdk synth` does, without the seconds that the CDK command takes. */
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { CliError } from '#cli/cli-error';
import type { Environment } from '#cli/choose-cloud';
import { PROJECT_ROOT } from '#cli/project';

interface CdkSettings {
  readonly context?: Readonly<Record<string, unknown>>;
  readonly pathMetadata?: boolean;
  readonly assetMetadata?: boolean;
  readonly versionReporting?: boolean;
}

/**
 * The context that the CDK command gives to an app, so that both roads lead to one template.
 *
 * @source aws-cdk 2.1148.1, `synthParametersFromSettings`: each is true unless set to false.
 */
function commandContext(settings: CdkSettings): Readonly<Record<string, unknown>> {
  const { pathMetadata = true, assetMetadata = true, versionReporting = true } = settings;
  return {
    ...settings.context,
    ...(pathMetadata ? { 'aws:cdk:enable-path-metadata': true } : {}),
    ...(assetMetadata ? { 'aws:cdk:enable-asset-metadata': true } : {}),
    ...(versionReporting ? { 'aws:cdk:version-reporting': true } : {}),
    'aws:cdk:bundling-stacks': ['**'],
  };
}

export interface SynthesisAsk {
  readonly stage: string;
  /** Absolute; the app's own unless given. */
  readonly pipelinesDirectory?: string | undefined;
  /** Replaced by what is synthesized. */
  readonly cdkOut: string;
  readonly env: Environment;
  readonly signal?: AbortSignal | undefined;
}

/** Run the app. @throws {CliError} with what the app said when it fails. */
export async function synthesize(ask: SynthesisAsk): Promise<void> {
  const { stage, pipelinesDirectory, cdkOut, env, signal } = ask;
  const settings = JSON.parse(readFileSync(join(PROJECT_ROOT, 'cdk.json'), 'utf8')) as CdkSettings;
  const context = {
    ...commandContext(settings),
    stage,
    ...(pipelinesDirectory === undefined ? {} : { pipelines: pipelinesDirectory }),
  };
  await rm(cdkOut, { recursive: true, force: true });
  await mkdir(cdkOut, { recursive: true });
  const child = spawn(process.execPath, [join('bin', 'app.ts')], {
    cwd: PROJECT_ROOT,
    env: {
      ...env,
      CDK_OUTDIR: cdkOut,
      CDK_CONTEXT_JSON: JSON.stringify(context),
    },
    stdio: ['ignore', 'ignore', 'pipe'],
    ...(signal === undefined ? {} : { signal }),
  });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  const code = await new Promise<number | null>((done, fail) => {
    child.once('error', fail).once('close', done);
  }).catch((error: unknown) => {
    throw signal?.aborted === true ? new CliError('Interrupted.') : error;
  });
  if (code !== 0) throw new CliError(`The app cannot be synthesized: ${causeIn(said)}`);
}

/** The app's own sentence, without the stack below it. */
function causeIn(said: string): string {
  const lines = said.split('\n').map((line) => line.trim());
  const cause = lines.find((line) => /^(?:\w*Error|Defect)\b.*?:/.test(line));
  return cause?.replace(/^\w+(?: \[\w+\])?: /, '') ?? (said.trim() || 'it ended without a word.');
}
