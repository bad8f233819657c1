import { requiredVariable } from '#functions/required-variable';
import type { Environment } from '#functions/required-variable';

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

const MS_PER_MINUTE = 60_000;

/** @throws {Error} that names the variable which is missing. */
export function readRecoverEnvironment(env: Environment): RecoverEnvironment {
  return {
    stage: requiredVariable(env, 'PENSTOCK_STAGE'),
    stateTableName: requiredVariable(env, 'PENSTOCK_STATE_TABLE'),
    quarantineBucketName: requiredVariable(env, 'PENSTOCK_QUARANTINE_BUCKET'),
    waitMs: Number(requiredVariable(env, 'PENSTOCK_WAIT_MINUTES')) * MS_PER_MINUTE,
    functionName: requiredVariable(env, 'AWS_LAMBDA_FUNCTION_NAME'),
  };
}
