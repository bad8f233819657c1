/** Signed requests to the AWS services whose SDK client would weigh more than the one call it makes. */
import { AwsClient } from 'aws4fetch';

/** The variables read here; the standard names that every AWS SDK reads. */
export type AwsEnvironment = Readonly<Record<string, string | undefined>>;

/** The services spoken to without an SDK client: their signing names and endpoint variables. */
const SERVICES = {
  s3: 'AWS_ENDPOINT_URL_S3',
  secretsmanager: 'AWS_ENDPOINT_URL_SECRETS_MANAGER',
  lambda: 'AWS_ENDPOINT_URL_LAMBDA',
  logs: 'AWS_ENDPOINT_URL_CLOUDWATCH_LOGS',
} as const;

export type SignedService = keyof typeof SERVICES;

export interface SignedCall {
  readonly method: string;
  /** Below the service's endpoint, percent-encoded, with a leading slash. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array<ArrayBuffer>;
  readonly timeoutMs: number;
}

export type SignedFetch = (call: SignedCall) => Promise<Response>;

/**
 * Make a function that signs one request with the environment's credentials and sends it once.
 *
 * @throws when the environment names no region or no credentials, in one sentence.
 * @example const send = signedFetch('s3', process.env);
 */
export function signedFetch(service: SignedService, env: AwsEnvironment): SignedFetch {
  const region = env['AWS_REGION'] ?? env['AWS_DEFAULT_REGION'];
  const accessKeyId = env['AWS_ACCESS_KEY_ID'];
  const secretAccessKey = env['AWS_SECRET_ACCESS_KEY'];
  const sessionToken = env['AWS_SESSION_TOKEN'];
  if (!region) throw new Error('AWS_REGION is not set: no AWS service can be addressed');
  if (!accessKeyId || !secretAccessKey) {
    throw new Error('AWS_ACCESS_KEY_ID or AWS_SECRET_ACCESS_KEY is not set: nothing can be signed');
  }
  const client = new AwsClient({
    accessKeyId,
    secretAccessKey,
    ...(sessionToken ? { sessionToken } : {}),
    service,
    region,
    retries: 0,
  });
  const endpoint = endpointOf(service, region, env);

  return ({ method, path, headers, body, timeoutMs }) =>
    client.fetch(endpoint + path, {
      method,
      headers: { ...headers },
      ...(body === undefined ? {} : { body }),
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
    });
}

/** Where a service answers: its own override, the common override, or the region's public name. */
export function endpointOf(service: SignedService, region: string, env: AwsEnvironment): string {
  const override = env[SERVICES[service]] || env['AWS_ENDPOINT_URL'];
  return override
    ? override.replace(/\/+$/, '')
    : `https://${service}.${region}.${suffixOf(region)}`;
}

/** @source botocore partitions.json, dnsSuffix of each partition (2026-11). */
function suffixOf(region: string): string {
  if (region.startsWith('cn-')) return 'amazonaws.com.cn';
  if (region.startsWith('us-iso-')) return 'c2s.ic.gov';
  if (region.startsWith('us-isob-')) return 'sc2s.sgov.gov';
  if (region.startsWith('eusc-')) return 'amazonaws.eu';
  return 'amazonaws.com';
}
