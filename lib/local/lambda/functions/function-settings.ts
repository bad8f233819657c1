/** What a Lambda function is made with, as CloudFormation would make it. */
export interface FunctionSettings {
  readonly name: string;
  readonly arn: string;
  /** The directory of the bundled code; the function's working directory. */
  readonly assetDir: string;
  /** `index.handler`: a module of the asset, then the exported name. */
  readonly handler: string;
  /** The declared variables, and nothing else. */
  readonly environment: Readonly<Record<string, string>>;
  readonly memoryMb: number;
  readonly timeoutSec: number;
  /** Environments that may work at once; none declared means the account's limit. */
  readonly reservedConcurrency?: number | undefined;
}

/** @source Lambda developer guide, "Using environment variables", 2026-10. */
const RESERVED_NAMES = new Set([
  '_HANDLER',
  '_X_AMZN_TRACE_ID',
  'AWS_DEFAULT_REGION',
  'AWS_REGION',
  'AWS_EXECUTION_ENV',
  'AWS_LAMBDA_FUNCTION_NAME',
  'AWS_LAMBDA_FUNCTION_MEMORY_SIZE',
  'AWS_LAMBDA_FUNCTION_VERSION',
  'AWS_LAMBDA_INITIALIZATION_TYPE',
  'AWS_LAMBDA_LOG_GROUP_NAME',
  'AWS_LAMBDA_LOG_STREAM_NAME',
  'AWS_ACCESS_KEY',
  'AWS_ACCESS_KEY_ID',
  'AWS_SECRET_ACCESS_KEY',
  'AWS_SESSION_TOKEN',
  'AWS_LAMBDA_RUNTIME_API',
  'LAMBDA_TASK_ROOT',
  'LAMBDA_RUNTIME_DIR',
]);

/** @source Lambda quotas, 2026-10. */
const ENVIRONMENT_BYTES_MAX = 4096;
const MEMORY_MB = { min: 128, max: 10_240 };
const TIMEOUT_SEC = { min: 1, max: 900 };

/** Say everything Lambda would refuse about a function; empty when it would be made. */
export function functionFaults(settings: FunctionSettings): string[] {
  const { environment, handler, memoryMb, timeoutSec, reservedConcurrency } = settings;
  const reserved = Object.keys(environment).filter((name) => RESERVED_NAMES.has(name));
  const faults: string[] = [];
  if (reserved.length > 0) {
    faults.push(`the environment declares reserved variables: ${reserved.join(', ')}`);
  }
  for (const name of Object.keys(environment)) {
    if (RESERVED_NAMES.has(name) || /^[a-zA-Z]\w+$/.test(name)) continue;
    const form = 'a letter, then letters, digits or underscores';
    faults.push(`the variable ${JSON.stringify(name)} is not ${form}`);
  }
  if (Buffer.byteLength(JSON.stringify(environment)) > ENVIRONMENT_BYTES_MAX) {
    faults.push(`the environment is larger than ${ENVIRONMENT_BYTES_MAX} bytes`);
  }
  if (!/^[^.\s][^\s]*\.[^.\s]+$/.test(handler)) {
    faults.push(`the handler ${JSON.stringify(handler)} is not "module.export"`);
  }
  if (!isWithin(memoryMb, MEMORY_MB)) faults.push(`memory of ${memoryMb} MB is not 128–10240`);
  if (!isWithin(timeoutSec, TIMEOUT_SEC)) faults.push(`a timeout of ${timeoutSec} s is not 1–900`);
  if (reservedConcurrency !== undefined && !isWithin(reservedConcurrency, { min: 0, max: 1000 })) {
    faults.push(`a reserved concurrency of ${reservedConcurrency} is not 0–1000`);
  }
  return faults;
}

function isWithin(value: number, range: { readonly min: number; readonly max: number }): boolean {
  return Number.isInteger(value) && value >= range.min && value <= range.max;
}
