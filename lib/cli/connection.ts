/** The clouds a command may speak to, and the clients for it. */
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { KinesisClient } from '@aws-sdk/client-kinesis';
import { NodeHttpHandler } from '@smithy/node-http-handler';
import { UsageError } from '#cli/cli-error';
import { signedFetch } from '#adapters/aws/signed-fetch';
import type { SignedFetch, SignedService } from '#adapters/aws/signed-fetch';

export type Environment = Readonly<Record<string, string | undefined>>;

export interface Connection {
  /** What a person calls it: an address, or the region on AWS. */
  readonly place: string;
  readonly kinesis: KinesisClient;
  readonly dynamodb: DynamoDBClient;
  /** A signed request to a service without an SDK client here. */
  signed(service: SignedService): Promise<SignedFetch>;
  close(): void;
}

export const LOCAL_ENDPOINT = 'http://127.0.0.1:4599';

/** Says "AWS itself" where an endpoint is asked for. */
export const AWS_ITSELF = 'aws';

const REQUEST_TIMEOUT_MS = 10_000;
const SOCKETS_MAX = 16;

/** What a cloud on one's own machine is content with; it checks no credentials. */
export const LOCAL_CREDENTIALS = {
  AWS_ACCESS_KEY_ID: 'local',
  AWS_SECRET_ACCESS_KEY: 'local',
  AWS_REGION: 'us-east-1',
} as const;

/**
 * Open clients for one cloud. Requests are tried as often as the SDK does by default: these
 * are reads.
 *
 * @param endpoint an address, or `aws` for AWS itself.
 * @param options how long one try may take: 10 seconds unless said otherwise.
 * @throws {UsageError} when it is neither.
 */
export function connect(
  endpoint: string,
  env: Environment,
  { timeoutMs = REQUEST_TIMEOUT_MS }: { readonly timeoutMs?: number } = {},
): Connection {
  const own = endpoint === AWS_ITSELF ? undefined : endpoint.replace(/\/+$/, '');
  if (own !== undefined && !(URL.canParse(own) && /^https?:/.test(own))) {
    throw new UsageError(`The endpoint '${own}' is no address such as ${LOCAL_ENDPOINT}.`);
  }
  const merged: Environment =
    own === undefined ? env : { ...LOCAL_CREDENTIALS, ...setOnly(env), AWS_ENDPOINT_URL: own };
  const settings = {
    ...(own === undefined ? {} : { endpoint: own }),
    ...regionOf(merged),
    ...(own === undefined ? {} : { credentials: credentialsOf(merged) }),
    requestHandler: new NodeHttpHandler({
      requestTimeout: timeoutMs,
      throwOnRequestTimeout: true,
      httpAgent: { maxSockets: SOCKETS_MAX },
    }),
  };
  const kinesis = new KinesisClient(settings);
  const dynamodb = new DynamoDBClient(settings);
  return {
    place: own ?? `AWS ${merged['AWS_REGION'] ?? merged['AWS_DEFAULT_REGION'] ?? ''}`.trim(),
    kinesis,
    dynamodb,
    async signed(service) {
      const found = await dynamodb.config.credentials();
      return signedFetch(service, {
        ...merged,
        AWS_REGION: await dynamodb.config.region(),
        AWS_ACCESS_KEY_ID: found.accessKeyId,
        AWS_SECRET_ACCESS_KEY: found.secretAccessKey,
        AWS_SESSION_TOKEN: found.sessionToken,
      });
    },
    close() {
      kinesis.destroy();
      dynamodb.destroy();
    },
  };
}

function setOnly(env: Environment): Environment {
  return Object.fromEntries(
    Object.entries(env).filter(([, value]) => value !== undefined && value !== ''),
  );
}

function regionOf(env: Environment): { region?: string } {
  const region = env['AWS_REGION'] ?? env['AWS_DEFAULT_REGION'];
  return region === undefined ? {} : { region };
}

function credentialsOf(env: Environment) {
  const sessionToken = env['AWS_SESSION_TOKEN'];
  return {
    accessKeyId: env['AWS_ACCESS_KEY_ID'] ?? '',
    secretAccessKey: env['AWS_SECRET_ACCESS_KEY'] ?? '',
    ...(sessionToken === undefined ? {} : { sessionToken }),
  };
}
