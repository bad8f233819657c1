/** The clouds a command may speak to, and the clients for it. */
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { KinesisClient } from '@aws-sdk/client-kinesis';
import { NodeHttpHandler } from '@smithy/node-http-handler';
import { signedFetch } from '#adapters/aws/signed-fetch';
import type { SignedFetch, SignedService } from '#adapters/aws/signed-fetch';
import { endpointOf, LOCAL_CREDENTIALS, regionIn } from './choose-cloud.ts';
import type { Environment } from './choose-cloud.ts';

export interface Connection {
  /** What a person calls it: an address, or the region on AWS. */
  readonly place: string;
  readonly kinesis: KinesisClient;
  readonly dynamodb: DynamoDBClient;
  /** A signed request to a service without an SDK client here. */
  signed(service: SignedService): Promise<SignedFetch>;
  close(): void;
}

const REQUEST_TIMEOUT_MS = 10_000;
const SOCKETS_MAX = 16;

/**
 * Open clients for one cloud. Requests are tried as often as the SDK does by default: these
 * are reads.
 *
 * @param cloud as `endpointOf` takes it.
 * @param options how long one try may take: 10 seconds unless said otherwise.
 * @throws {UsageError} when it names none.
 */
export function connect(
  cloud: string,
  env: Environment,
  { timeoutMs = REQUEST_TIMEOUT_MS }: { readonly timeoutMs?: number } = {},
): Connection {
  const own = endpointOf(cloud, env);
  const merged =
    own === undefined
      ? withoutEndpoints(setOnly(env))
      : { ...LOCAL_CREDENTIALS, ...setOnly(env), AWS_ENDPOINT_URL: own };
  const settings = {
    ...(own === undefined
      ? { ignoreConfiguredEndpointUrls: true }
      : { endpoint: own, credentials: credentialsOf(merged) }),
    ...regionOf(merged),
    requestHandler: new NodeHttpHandler({
      requestTimeout: timeoutMs,
      throwOnRequestTimeout: true,
      httpAgent: { maxSockets: SOCKETS_MAX },
    }),
  };
  const kinesis = new KinesisClient(settings);
  const dynamodb = new DynamoDBClient(settings);
  return {
    place: own ?? `AWS ${regionIn(merged) ?? ''}`.trim(),
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

/** AWS itself is meant: what leads elsewhere, as to a local cloud, is left aside. */
function withoutEndpoints(env: Environment): Environment {
  return Object.fromEntries(
    Object.entries(env).filter(([name]) => !name.startsWith('AWS_ENDPOINT_URL')),
  );
}

function regionOf(env: Environment): { region?: string } {
  const region = regionIn(env);
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
