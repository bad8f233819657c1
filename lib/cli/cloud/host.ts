/** What the demo's pipelines run in: this process, or a LocalStack that is started for them. */
import { startPipelines } from './start.ts';
import type { CloudHost, HostAsk } from './cloud-host.ts';
import { LOCAL_CREDENTIALS } from '#cli/choose-cloud';
import { renderEvent } from '#cli/render/cloud-event';
import type { CloudEvent } from '#local/cloud-event';
import type { CloudName } from './cloud-name.ts';

/** Open one. @throws {Error} with one sentence when it cannot start; then nothing is left of it. */
export async function openHost(name: CloudName, ask: HostAsk): Promise<CloudHost> {
  if (name === 'embedded') return embeddedHost(ask);
  // Loading what speaks to Docker takes half a second: only who asks for it waits for it.
  const { localstackHost } = await import('./localstack-host.ts');
  return localstackHost(ask);
}

function embeddedHost({ port, onStep }: HostAsk): CloudHost {
  // Whoever lets something go wrong in the demo sees that it did.
  const onEvent = (event: CloudEvent): void => {
    if (event.kind.startsWith('fault-')) renderEvent(event).forEach(onStep);
  };
  return {
    up: (ask) => startPipelines({ ...ask, onEvent, ...(port === undefined ? {} : { port }) }),
    reach: (url) => Promise.resolve(url),
    died: new Promise(() => undefined),
    causeOf: (found) => Promise.resolve(found),
    variables: (endpoint) => ({ AWS_ENDPOINT_URL: endpoint, ...LOCAL_CREDENTIALS }),
    close: () => Promise.resolve(),
  };
}
