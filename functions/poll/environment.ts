/** What the template tells a poller. */
import type { TextOrSetting } from '#config/pipeline-settings';
import { requiredVariable } from '#functions/required-variable';
import type { Environment } from '#functions/required-variable';

export interface PollEnvironment {
  readonly streamName: string;
  readonly stateTableName: string;
  readonly quarantineBucketName: string;
  /** Undefined where the source is asked only for what changed. */
  readonly ledgerBucketName: string | undefined;
  /** The function's own name: what its logs and metrics are filed under. */
  readonly functionName: string;
  /** Undefined where the source asks for no credentials. */
  readonly secretName: string | undefined;
}

/** @throws {Error} that names the variable which is missing. */
export function readPollEnvironment(env: Environment): PollEnvironment {
  return {
    streamName: requiredVariable(env, 'PENSTOCK_STREAM'),
    stateTableName: requiredVariable(env, 'PENSTOCK_STATE_TABLE'),
    quarantineBucketName: requiredVariable(env, 'PENSTOCK_QUARANTINE_BUCKET'),
    ledgerBucketName: env['PENSTOCK_LEDGER_BUCKET'] || undefined,
    functionName: requiredVariable(env, 'AWS_LAMBDA_FUNCTION_NAME'),
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
