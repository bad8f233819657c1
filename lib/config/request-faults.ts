import type { JsonObject } from '#core/record/json';
import { parsePath } from '#core/record/path';
import { putAt } from '#core/record/put-at';
import type { Fault } from './faults.ts';
import type { SourceSettings } from './pipeline-settings.ts';
import { sourceParams } from './source-params.ts';

/** Set by whoever sends a request, and by nobody else. */
const OF_THE_CONNECTION =
  /^(host|content-length|transfer-encoding|connection|keep-alive|te|trailer|upgrade|expect)$/i;

const CREDENTIALS = /^(authorization|proxy-authorization|cookie)$/i;

/** What of a source's requests contradicts itself, or would show a secret. */
export function requestFaults({ request, auth, ...source }: SourceSettings): readonly Fault[] {
  if (request === undefined) return [];
  const { method, headers, body } = request;
  const keyHeader = auth.kind === 'api-key' ? auth.header?.toLowerCase() : undefined;
  const faults: Fault[] = [];
  for (const name of Object.keys(headers)) {
    const fault = (message: string) =>
      faults.push({ path: ['source', 'request', 'headers', name], message });
    if (CREDENTIALS.test(name)) fault('is a credential: name a secret in source.auth instead');
    else if (OF_THE_CONNECTION.test(name)) fault('is set by the connection: leave it out');
    else if (name.toLowerCase() === keyHeader) fault('is already source.auth.header');
  }
  if (body === undefined) return faults;
  if (method === 'GET') {
    faults.push({ path: ['source', 'request', 'body'], message: "needs request.method: 'POST'" });
  }
  for (const place of ['pagination', 'incremental'] as const) {
    const { kind } = source[place];
    if (kind !== 'link' && kind !== 'delta-link') continue;
    const message = `must not be '${kind}' with request.body: a link says by itself what is asked for, and the body would ask for another thing`;
    faults.push({ path: ['source', place, 'kind'], message });
  }
  for (const [place, param] of sourceParams(source)) {
    if (putAt(body as JsonObject, parsePath(param), null) !== undefined) continue;
    const message = `must lead through objects of source.request.body: '${param}' does not`;
    faults.push({ path: ['source', ...place.split('.'), 'param'], message });
  }
  return faults;
}
