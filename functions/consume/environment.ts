import { requiredVariable } from '#functions/required-variable';
import type { Environment } from '#functions/required-variable';

/** What the template tells a consumer of every kind. */
export interface ConsumeEnvironment {
  readonly stateTableName: string;
  readonly quarantineBucketName: string;
  /** Names the code of the function; see OpenBreaker. */
  readonly code: string;
  /** The function's own name: what its logs and metrics are filed under. */
  readonly functionName: string;
}

/** @throws {Error} that names the variable which is missing. */
export function readConsumeEnvironment(env: Environment): ConsumeEnvironment {
  return {
    stateTableName: requiredVariable(env, 'PENSTOCK_STATE_TABLE'),
    quarantineBucketName: requiredVariable(env, 'PENSTOCK_QUARANTINE_BUCKET'),
    code: requiredVariable(env, 'PENSTOCK_CODE'),
    functionName: requiredVariable(env, 'AWS_LAMBDA_FUNCTION_NAME'),
  };
}
