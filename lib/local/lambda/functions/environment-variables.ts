/** The variables a function finds in its process. */
import type { FunctionSettings } from './function-settings.ts';
import { runtimeModules } from './runtime-modules.ts';

export interface EnvironmentPlace {
  /** host:port of this environment's Runtime API. */
  readonly runtimeApi: string;
  readonly region: string;
  readonly logStreamName: string;
  /** Credentials and AWS_ENDPOINT_URL of the cloud. */
  readonly aws: Readonly<Record<string, string>>;
  readonly compileCacheDir: string;
}

/**
 * Build the whole environment of a function's process: nothing of ours leaks into it.
 *
 * @source Lambda developer guide, "Defined runtime environment variables", 2026-10.
 */
export function environmentVariables(
  settings: FunctionSettings,
  place: EnvironmentPlace,
): Record<string, string> {
  return {
    NODE_PATH: runtimeModules(),
    ...settings.environment,
    ...place.aws,
    PATH: '/usr/local/bin:/usr/bin:/bin',
    LANG: 'en_US.UTF-8',
    TZ: ':UTC',
    _HANDLER: settings.handler,
    AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs24.x',
    AWS_REGION: place.region,
    AWS_DEFAULT_REGION: place.region,
    AWS_LAMBDA_FUNCTION_NAME: settings.name,
    AWS_LAMBDA_FUNCTION_VERSION: '$LATEST',
    AWS_LAMBDA_FUNCTION_MEMORY_SIZE: String(settings.memoryMb),
    AWS_LAMBDA_INITIALIZATION_TYPE: 'on-demand',
    AWS_LAMBDA_LOG_GROUP_NAME: `/aws/lambda/${settings.name}`,
    AWS_LAMBDA_LOG_STREAM_NAME: place.logStreamName,
    AWS_LAMBDA_RUNTIME_API: place.runtimeApi,
    AWS_XRAY_CONTEXT_MISSING: 'LOG_ERROR',
    LAMBDA_TASK_ROOT: settings.assetDir,
    LAMBDA_RUNTIME_DIR: import.meta.dirname,
    NODE_COMPILE_CACHE: place.compileCacheDir,
  };
}
