/** A LocalStack of one's own: a container that is gone in the end. */
import { setTimeout as pause } from 'node:timers/promises';
import { PROJECT_ROOT, SCRATCH_DIRECTORY } from '#cli/project';
import { bootstrap, LOCALSTACK_IDENTITY } from '#localstack/cdk';
import { startLocalStack } from '#localstack/container';
import { openRelay } from '#localstack/relay';
import { deployPipelines } from './deploy.ts';
import type { CloudHost, HostAsk } from './cloud-host.ts';

/** Docker tells of a container's end somewhat later than its closed connections do. */
const DEATH_NOTICE_MS = 2_000;

/** Start it. @throws {LocalStackError} when it does not start. */
export async function localstackHost({ env, port, onStep }: HostAsk): Promise<CloudHost> {
  const localstack = await startLocalStack({ env, port, onStep, logDirectory: SCRATCH_DIRECTORY });
  const { endpoint, died, logFile } = localstack;
  const relay = openRelay(localstack.relay);
  let death: unknown;
  const ended = died.catch((sentence: unknown) => (death = sentence));

  return {
    async up(ask) {
      onStep('Bootstrapping with cdk …');
      await bootstrap({ endpoint, env, cwd: PROJECT_ROOT, logFile, signal: ask.signal });
      return deployPipelines({ ...ask, endpoint, logFile, onStep });
    },
    reach: relay.reach,
    died,
    async causeOf(found) {
      await Promise.race([ended, pause(DEATH_NOTICE_MS)]);
      return death ?? found;
    },
    // S3 by itself: a bucket's name stands before its host's, unless an address is given for it.
    variables: () => ({
      AWS_ENDPOINT_URL: endpoint,
      AWS_ENDPOINT_URL_S3: endpoint,
      ...LOCALSTACK_IDENTITY,
    }),
    async close() {
      relay.close();
      await localstack.stop();
    },
  };
}
