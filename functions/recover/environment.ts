/** What the template tells the function that reads what was given up. */
export interface RecoverEnvironment {
  readonly stage: string;
  readonly stateTableName: string;
  readonly quarantineBucketName: string;
  /** See RecoverOptions, `waitMs`. */
  readonly waitMs: number;
  /** The function's own name: what its logs and metrics are filed under. */
  readonly functionName: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

const MS_PER_MINUTE = 60_000;

/** @throws {Error} that names the variable which is missing. */
export function readRecoverEnvironment(env: Environment): RecoverEnvironment {
  return {
    stage: required(env, 'PENSTOCK_STAGE'),
    stateTableName: required(env, 'PENSTOCK_STATE_TABLE'),
    quarantineBucketName: required(env, 'PENSTOCK_QUARANTINE_BUCKET'),
    waitMs: Number(required(env, 'PENSTOCK_WAIT_MINUTES')) * MS_PER_MINUTE,
    functionName: required(env, 'AWS_LAMBDA_FUNCTION_NAME'),
  };
}

function required(env: Environment, name: string): string {
  const value = env[name];
  if (!value) throw new Error(`${name} is not set: the template should set it`);
  return value;
}
