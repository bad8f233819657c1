/** A pipeline's source, asked from here as its poller asks it from the cloud. */
import type { GrantWorld } from '#adapters/http/auth/refresh-grant';
import type { Exchange } from '#adapters/http/page-source';
import { refuseUnfit, secretVariable } from '#cli/cloud/settings';
import type { Environment } from '#cli/choose-cloud';
import type { LoadedPipeline } from '#config/load-pipelines';
import type { PipelineSettings } from '#config/pipeline-settings';
import { authSecret, isSetting } from '#config/required-settings';
import { resolveSetting } from '#functions/poll/environment';
import { openPageSources } from '#functions/poll/open-page-source';
import { toPollOptions } from '#functions/poll/poll-options';
import type { PollOptions } from '#pipeline/poll-options';
import type { Clock } from '#ports/clock';
import type { PageSource } from '#ports/page-source';
import { refuseUnsendable } from './refuse-unsendable.ts';
import { secretsOf } from './secrets-of.ts';

export interface OpenSource {
  readonly options: PollOptions;
  readonly source: PageSource;
  /** Its feed of deletes, where it has one. */
  readonly deletes: PageSource | undefined;
  /** What nobody is to read: a source may say it back. */
  readonly secrets: readonly string[];
}

export interface OpenSourceAsk {
  readonly env: Environment;
  readonly clock: Clock;
  readonly onExchange?: (exchange: Exchange) => void;
  /** What a refresh token is used by; without it none is, as the one that follows could not be stored. */
  readonly grant?: GrantWorld | undefined;
}

/**
 * Open a source with the settings and secrets that variables hold.
 *
 * @throws {CliError} naming every variable that is missing or useless.
 */
export function openSource(
  { settings, map }: Pick<LoadedPipeline, 'settings' | 'map'>,
  { env, grant, ...ask }: OpenSourceAsk,
): OpenSource {
  // What its consumers need is not asked for here.
  refuseUnfit([{ ...settings, consumers: [] }], env, grant === undefined ? 'unused' : 'stored');
  refuseUnsendable(settings, env);
  const { auth } = settings.source;
  const secret = authSecret(auth);
  const value = secret === undefined ? '' : (env[secretVariable(secret)] ?? '');
  const openSecret = () => () => Promise.resolve(value);
  return {
    options: toPollOptions(settings, map, env),
    ...openPageSources(settings.source, {
      ...ask,
      env,
      openSecret,
      ...(grant && { openGrant: () => grant }),
    }),
    secrets: secretsOf({ auth, secret: value, ...textsOfSettings(settings.source, env) }),
  };
}

/** What the environment says in place of the file: it may be a credential. */
function textsOfSettings({ url, query }: PipelineSettings['source'], env: Environment) {
  const params = Object.entries(query).filter(([, value]) => isSetting(value));
  return {
    url: resolveSetting(url, env),
    params: Object.fromEntries(params.map(([name, value]) => [name, resolveSetting(value, env)])),
  };
}
