/** Checks a source's `auth` against what stands beside it. */
import type { Fault } from './faults.ts';
import type { SourceSettings } from './pipeline-settings.ts';
import type { PollSettings } from './poll-settings.ts';
import { isRefreshGrant } from './required-settings.ts';
import { sourceParams } from './source-params.ts';

/** A function does not begin to replace a refresh token that it could not store. */
const REFRESHING_SEC_MIN = 30;

/** The key is set last: it would stand where a page's token belongs. */
export function authParamFaults(source: SourceSettings): readonly Fault[] {
  const { auth, url, query, pagination } = source;
  const param = auth.kind === 'api-key' ? auth.param : undefined;
  if (param === undefined) return [];
  const takers = [...sourceParams(source)]
    .filter(([, other]) => other === param)
    .map(([place]) => `source.${place}.param`);
  if (pagination.kind === 'link' && Object.hasOwn(pagination.first ?? {}, param)) {
    takers.push('source.pagination.first');
  }
  if (Object.hasOwn(query, param)) takers.push('source.query');
  if (typeof url === 'string' && URL.parse(url)?.searchParams.has(param)) takers.push('source.url');
  return takers.map((taker) => ({
    path: ['source', 'auth', 'param'],
    message: `'${param}' stands in ${taker} as well`,
  }));
}

/** A refresh token takes its time, beside that of a page. */
export function grantFaults(
  { auth }: SourceSettings,
  poll: PollSettings | undefined,
): readonly Fault[] {
  if (!isRefreshGrant(auth) || poll === undefined) return [];
  if (poll.timeoutSec >= REFRESHING_SEC_MIN) return [];
  const message = `must be at least ${REFRESHING_SEC_MIN} where a refresh token is to be replaced`;
  return [{ path: ['poll', 'timeoutSec'], message }];
}
