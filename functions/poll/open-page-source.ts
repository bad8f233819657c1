/** A pipeline's source over HTTP, with the settings and the secret of where it is asked from. */
import type { ReadSecret } from '#adapters/http/auth/authorize';
import type { GrantWorld } from '#adapters/http/auth/refresh-grant';
import { httpPageSource } from '#adapters/http/page-source';
import type { Exchange } from '#adapters/http/page-source';
import type { SecretForm } from '#adapters/secrets/secret-reader';
import type { SourceSettings } from '#config/pipeline-settings';
import type { Environment } from '#functions/required-variable';
import type { Clock } from '#ports/clock';
import type { PageSource } from '#ports/page-source';
import { resolveSetting } from './environment.ts';
import { toBodyRules } from './poll-options.ts';
import { sourceAuthorize } from './source-authorize.ts';
import { toRequestForm } from './to-request-form.ts';

export interface SourceWorld {
  readonly env: Environment;
  readonly clock: Clock;
  /** Makes what reads the source's secret, whose text has the form given. */
  readonly openSecret: (form: SecretForm) => ReadSecret;
  /** Makes what a refresh token is used by; without it, the access token in the secret is shown. */
  readonly openGrant?: () => GrantWorld;
  readonly onExchange?: (exchange: Exchange) => void;
}

/** @throws {Error} in one sentence when the environment lacks something, or its URL cannot be used. */
export function openPageSource(
  source: SourceSettings,
  { env, clock, openSecret, openGrant, ...telling }: SourceWorld,
): PageSource {
  const { auth, url } = source;
  return httpPageSource({
    url: resolveSetting(url, env),
    urlName: typeof url === 'string' ? undefined : url.env,
    authorize: sourceAuthorize(auth, { openSecret, openGrant, env, clock }),
    ...(auth.kind === 'none' ? {} : { refetchOn: auth.refetchOn }),
    clock,
    request: toRequestForm(source, env),
    ...toBodyRules(source),
    ...telling,
  });
}
