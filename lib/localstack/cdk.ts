/** The CDK's command as a person types it, pointed at an endpoint. */
import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Environment } from './engine.ts';
import { keepLastLines } from './last-lines.ts';
import { LocalStackError } from './localstack-error.ts';

export interface CdkAsk {
  readonly endpoint: string;
  readonly env: Environment;
  /** The project. */
  readonly cwd: string;
  /** The log of what answers there: its last lines are kept when the command fails. */
  readonly logFile?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** What LocalStack is content with; it makes its account of the access key. */
export const LOCALSTACK_IDENTITY = {
  AWS_ACCESS_KEY_ID: 'test',
  AWS_SECRET_ACCESS_KEY: 'test',
  AWS_REGION: 'us-east-1',
} as const;

/** Account and region of everything that is deployed there. */
export const LOCALSTACK_PLACE = { account: '000000000000', region: 'us-east-1' } as const;

/** S3 needs an endpoint of its own: its host names carry the bucket, which has no address here. */
function environment({ endpoint, env }: CdkAsk): Environment {
  const { AWS_PROFILE: _profile, AWS_SESSION_TOKEN: _session, ...rest } = env;
  return {
    ...rest,
    ...LOCALSTACK_IDENTITY,
    AWS_ENDPOINT_URL: endpoint,
    AWS_ENDPOINT_URL_S3: endpoint,
    CDK_DISABLE_CLI_TELEMETRY: 'true',
  };
}

/** @example await cdk(['deploy', '--all', '--app', 'cdk.out'], ask) */
export async function cdk(args: readonly string[], ask: CdkAsk): Promise<string> {
  return run('aws-cdk/bin/cdk', [...args, '--ci', '--no-notices', '--no-color'], ask);
}

/** Prepare the account for deployments. Harmless when repeated. */
export async function bootstrap(ask: CdkAsk): Promise<void> {
  const { account, region } = LOCALSTACK_PLACE;
  // Where there is no app, none has to be synthesized.
  const elsewhere = await mkdtemp(join(tmpdir(), 'penstock-bootstrap-'));
  try {
    await cdk(['bootstrap', `aws://${account}/${region}`], { ...ask, cwd: elsewhere });
  } finally {
    await rm(elsewhere, { recursive: true, force: true });
  }
}

/** Deploy every stack of what was synthesized. */
export async function deploy(cdkOut: string, ask: CdkAsk): Promise<string> {
  const unasked = ['--require-approval', 'never', '--concurrency', '4'];
  return cdk(['deploy', '--all', '--app', cdkOut, ...unasked], ask);
}

/** @throws {LocalStackError} with the sentence in which the command says what failed. */
export async function run(script: string, args: readonly string[], ask: CdkAsk): Promise<string> {
  const path = createRequire(import.meta.url).resolve(script);
  const child = spawn(process.execPath, [path, ...args], {
    cwd: ask.cwd,
    env: environment(ask),
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(ask.signal === undefined ? {} : { signal: ask.signal }),
  });
  let said = '';
  const listen = (text: string): void => void (said += text);
  child.stdout.setEncoding('utf8').on('data', listen);
  child.stderr.setEncoding('utf8').on('data', listen);
  const code = await new Promise<number | null>((done, fail) => {
    child.once('error', fail).once('close', done);
  });
  if (code === 0) return said;
  const kept = ask.logFile === undefined ? undefined : await keepLastLines(ask.logFile);
  const more = kept === undefined ? '' : ` LocalStack's last words: ${kept}`;
  throw new LocalStackError(`cdk ${args[0]} failed: ${failureIn(said)}.${more}`, { cause: said });
}

const FAILED = /^(?<stack>\S+) \|.*\| \w+_FAILED +\| (?<type>\S+) +\| (?<what>.+)$/;

/** The first resource that failed, else the command's own last words. */
export function failureIn(said: string): string {
  const lines = said.split('\n').map((line) => line.trim());
  for (const line of lines) {
    const { stack, type, what } = FAILED.exec(line)?.groups ?? {};
    if (type !== undefined && type !== 'AWS::CloudFormation::Stack')
      return `${stack}, ${type} ${what}`;
  }
  const words = lines.filter((line) => line !== '');
  return words.find((line) => /^(?:‣|❌|Error)/u.test(line)) ?? words.at(-1) ?? 'it said nothing';
}
