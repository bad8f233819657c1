/** Checks that the parameter of a source's key is nobody else's. */
import type { Fault } from './faults.ts';
import type { SourceSettings } from './pipeline-settings.ts';

/** The key is set last: it would stand where a page's token belongs. */
export function authParamFaults(source: SourceSettings): readonly Fault[] {
  const { auth, url, query, pagination, incremental, pageSize } = source;
  const param = auth.kind === 'api-key' ? auth.param : undefined;
  if (param === undefined) return [];
  const parts: Readonly<Record<string, object>> = { pagination, incremental, pageSize };
  const takers = Object.entries(parts)
    .filter(([, part]) => 'param' in part && part.param === param)
    .map(([name]) => `source.${name}.param`);
  if (Object.hasOwn(query, param)) takers.push('source.query');
  if (typeof url === 'string' && URL.parse(url)?.searchParams.has(param)) takers.push('source.url');
  return takers.map((taker) => ({
    path: ['source', 'auth', 'param'],
    message: `'${param}' stands in ${taker} as well`,
  }));
}
