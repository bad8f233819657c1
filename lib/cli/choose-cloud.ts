/** Which cloud a command speaks to. */
import { UsageError } from './cli-error.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

export const LOCAL_ENDPOINT = 'http://127.0.0.1:4599';
export const LOCALSTACK_ENDPOINT = 'http://127.0.0.1:4566';

/** What a cloud on one's own machine is content with; it checks no credentials. */
export const LOCAL_CREDENTIALS = {
  AWS_ACCESS_KEY_ID: 'local',
  AWS_SECRET_ACCESS_KEY: 'local',
  AWS_REGION: 'us-east-1',
} as const;

/** The region that the environment names, as the SDK's clients here are given it; undefined when none. */
export function regionIn(env: Environment): string | undefined {
  return env['AWS_REGION'] || env['AWS_DEFAULT_REGION'] || undefined;
}

/**
 * The address of a cloud; undefined for AWS itself.
 *
 * @param cloud `local` (AWS_ENDPOINT_URL, else `penstock up`), `localstack`, `aws`, or an address.
 * @throws {UsageError} when it is none of them.
 */
export function endpointOf(cloud: string, env: Environment): string | undefined {
  if (cloud === 'aws') return undefined;
  const said =
    cloud === 'local'
      ? env['AWS_ENDPOINT_URL'] || LOCAL_ENDPOINT
      : cloud === 'localstack'
        ? LOCALSTACK_ENDPOINT
        : cloud;
  const endpoint = said.replace(/\/+$/, '');
  if (URL.canParse(endpoint) && /^https?:\/\//.test(endpoint)) return endpoint;
  const whence = cloud === 'local' ? 'AWS_ENDPOINT_URL' : '--cloud';
  throw new UsageError(
    `${whence} must be ${cloud === 'local' ? '' : 'local, localstack, aws or '}an address such as ${LOCAL_ENDPOINT}, not '${said}'.`,
  );
}
