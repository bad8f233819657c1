/** Ends what a test has left running, so that the next have the machine to themselves. */
import type { SignedFetch } from '#adapters/aws/signed-fetch';

const TIMEOUT_MS = 120_000;
const MAPPINGS = '/2015-03-31/event-source-mappings/';

/** Delete functions and their mappings; one that is gone already is no failure. */
export async function endFunctions(lambda: SignedFetch, names: readonly string[]): Promise<void> {
  const call = (method: string, path: string) => lambda({ method, path, timeoutMs: TIMEOUT_MS });
  for (const name of names) {
    const answer = await call('GET', `${MAPPINGS}?FunctionName=${name}`);
    const { EventSourceMappings = [] } = (await answer.json()) as {
      EventSourceMappings?: readonly { readonly UUID: string }[];
    };
    for (const { UUID } of EventSourceMappings) await call('DELETE', MAPPINGS + UUID);
    await call('DELETE', `/2015-03-31/functions/${name}`);
  }
}
