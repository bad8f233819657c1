/** How a client, or another process, is made to speak to a cloud. */
import type { Router } from '#local/router';
import { requestHandlerOf } from './request-handler.ts';
import type { RequestHandler } from './request-handler.ts';

export interface ClientOptions {
  /** What AWS_ENDPOINT_URL must be. */
  readonly endpoint: string;
  readonly region: string;
  /** The variables that every AWS SDK reads, for another process. */
  readonly environment: Readonly<Record<string, string>>;
  /** For an SDK client in this process: its requests go straight to the cloud, faults included. */
  readonly requestHandler: RequestHandler;
  /** All that an SDK client's constructor needs. */
  readonly client: {
    readonly endpoint: string;
    readonly region: string;
    readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string };
    readonly requestHandler: RequestHandler;
  };
}

export function clientOptions({
  endpoint,
  region,
  route,
}: {
  readonly endpoint: string;
  readonly region: string;
  readonly route: Router;
}): ClientOptions {
  const requestHandler = requestHandlerOf(route);
  const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
  return {
    endpoint,
    region,
    environment: {
      AWS_ENDPOINT_URL: endpoint,
      AWS_REGION: region,
      AWS_ACCESS_KEY_ID: credentials.accessKeyId,
      AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
    },
    requestHandler,
    client: { endpoint, region, credentials, requestHandler },
  };
}
