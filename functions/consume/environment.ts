/** What the template tells a consumer. */
export interface ConsumeEnvironment {
  readonly tableName: string;
  readonly stateTableName: string;
  readonly quarantineBucketName: string;
  /** Names the code of the function; see OpenBreaker. */
  readonly code: string;
  /** The function's own name: what its logs and metrics are filed under. */
  readonly functionName: string;
}

/** @throws {Error} that names the variable which is missing. */
export function readConsumeEnvironment(
  env: Readonly<Record<string, string | undefined>>,
): ConsumeEnvironment {
  return {
    tableName: required(env, 'PENSTOCK_TABLE'),
    stateTableName: required(env, 'PENSTOCK_STATE_TABLE'),
    quarantineBucketName: required(env, 'PENSTOCK_QUARANTINE_BUCKET'),
    code: required(env, 'PENSTOCK_CODE'),
    functionName: required(env, 'AWS_LAMBDA_FUNCTION_NAME'),
  };
}

function required(env: Readonly<Record<string, string | undefined>>, name: string): string {
  const value = env[name];
  if (!value) throw new Error(`${name} is not set: the template should set it`);
  return value;
}
