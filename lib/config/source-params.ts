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
