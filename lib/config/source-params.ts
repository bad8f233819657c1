/** The parameters by which a source is asked, and what of its settings names them. */
import { byTime } from './by-time.ts';
import type { SourceSettings } from './pipeline-settings.ts';

/** The setting of `source` whose `param` it is. */
export type ParamPlace = 'incremental' | 'incremental.until' | 'pageSize' | 'pagination';

/** Each that is named, by its place; what `query` fixes is not among them. */
export function sourceParams(
  source: Pick<SourceSettings, 'pagination' | 'incremental' | 'pageSize'>,
): ReadonlyMap<ParamPlace, string> {
  const { pagination, incremental, pageSize } = source;
  const named: readonly (readonly [ParamPlace, string | undefined])[] = [
    ['incremental', 'param' in incremental ? incremental.param : undefined],
    ['incremental.until', byTime(source)?.until?.param],
    ['pageSize', pageSize?.param],
    ['pagination', 'param' in pagination ? pagination.param : undefined],
  ];
  return new Map(named.flatMap(([place, param]) => (param === undefined ? [] : [[place, param]])));
}

/**
 * Of the parameters that a run sets, those that a source's URL fixes, each worded: a first page would have
 * the one value, and the pages behind it the other. A first page's token may be fixed.
 *
 * @example paramsInUrl(source, 'https://api.test/orders?per_page=20'); // ["holds 'per_page', …"]
 */
export function paramsInUrl(
  source: Parameters<typeof sourceParams>[0],
  url: string,
): readonly string[] {
  const held = URL.parse(url)?.searchParams;
  return [...sourceParams(source)]
    .filter(([place, param]) => place !== 'pagination' && held?.has(param))
    .map(([place, param]) => `holds '${param}', which is already source.${place}.param`);
}
