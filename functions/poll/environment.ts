/** What the template tells a poller. */
import type { TextOrSetting } from '#config/pipeline-settings';

type Environment = Readonly<Record<string, string | undefined>>;

export interface PollEnvironment {
  readonly streamName: string;
  readonly stateTableName: string;
  readonly quarantineBucketName: string;
  /** The function's own name: what its logs and metrics are filed under. */
  readonly functionName: string;
  /** Undefined where the source asks for no credentials. */
  readonly secretName: string | undefined;
}

/** @throws {Error} that names the variable which is missing. */
export function readPollEnvironment(env: Environment): PollEnvironment {
  return {
    streamName: required(env, 'PENSTOCK_STREAM'),
    stateTableName: required(env, 'PENSTOCK_STATE_TABLE'),
    quarantineBucketName: required(env, 'PENSTOCK_QUARANTINE_BUCKET'),
    functionName: required(env, 'AWS_LAMBDA_FUNCTION_NAME'),
    secretName: env['PENSTOCK_SECRET'] || undefined,
  };
}

/** Read a setting's value: the environment's, else the file's default. @throws {Error} naming it. */
export function resolveSetting(setting: TextOrSetting, env: Environment): string {
  if (typeof setting === 'string') return setting;
  const value = env[setting.env] || setting.default;
  if (value === undefined) throw new Error(`${setting.env} is not set: the pipeline reads it`);
  return value;
}

function required(env: Environment, name: string): string {
  const value = env[name];
  if (!value) throw new Error(`${name} is not set: the template should set it`);
  return value;
}
