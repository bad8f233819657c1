/** The contract of every port, on LocalStack's services. */
import { beforeEach, inject } from 'vitest';
import { endpointContract } from '#test/contracts/endpoint.contract';
import type { LocalStackPlace } from '#test/clouds/localstack-cloud';

const localstack = inject('localstack');
beforeEach(({ skip }) => {
  if (typeof localstack === 'string') skip(localstack);
});

endpointContract('LocalStack', async () => ({ url: (localstack as LocalStackPlace).endpoint }));
