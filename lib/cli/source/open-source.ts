/** A pipeline's source, asked from here as its poller asks it from the cloud. */
import { httpPageSource } from '#adapters/http/page-source';
import type { Exchange } from '#adapters/http/page-source';
import { refuseUnfit, secretVariable } from '#cli/cloud/settings';
import type { Environment } from '#cli/choose-cloud';
import type { LoadedPipeline } from '#config/load-pipelines';
import { authSecret } from '#config/required-settings';
import { resolveSetting } from '#functions/poll/environment';
import { sourceAuthorize } from '#functions/poll/source-authorize';
import { toBodyRules, toPollOptions } from '#functions/poll/poll-options';
import type { PollOptions } from '#pipeline/poll-options';
import type { Clock } from '#ports/clock';
import type { PageSource } from '#ports/page-source';

export interface OpenSource {
  readonly options: PollOptions;
  readonly source: PageSource;
}

export interface OpenSourceAsk {
  readonly env: Environment;
  readonly clock: Clock;
  readonly onExchange?: (exchange: Exchange) => void;
}

/**
 * Open a source with the settings and secrets that variables hold.
 *
 * @throws {CliError} naming every variable that is missing or useless.
 */
export function openSource(
  { settings, map }: Pick<LoadedPipeline, 'settings' | 'map'>,
  { env, ...ask }: OpenSourceAsk,
): OpenSource {
  // What its consumers need is not asked for here.
  refuseUnfit([{ ...settings, consumers: [] }], env);
  const { auth, url } = settings.source;
  const secret = authSecret(auth);
  const openSecret = () => () =>
    Promise.resolve(secret === undefined ? '' : (env[secretVariable(secret)] ?? ''));
  return {
    options: toPollOptions(settings, map, env),
    source: httpPageSource({
      ...ask,
      url: resolveSetting(url, env),
      urlName: typeof url === 'string' ? undefined : url.env,
      authorize: sourceAuthorize(auth, { openSecret, env, clock: ask.clock }),
      ...toBodyRules(settings.source),
    }),
  };
}
