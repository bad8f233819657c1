/** A pipeline's source over HTTP, with the settings and the secret of where it is asked from. */
import type { ReadSecret } from '#adapters/http/auth/authorize';
import type { GrantWorld } from '#adapters/http/auth/refresh-grant';
import { httpPageSource } from '#adapters/http/page-source';
import type { Exchange } from '#adapters/http/page-source';
import type { SecretForm } from '#adapters/secrets/secret-reader';
import type { SourceSettings } from '#config/pipeline-settings';
import { paramsInUrl } from '#config/source-params';
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

/** A source's records, and its feed of deletes, if it has one. */
export interface PageSources {
  readonly source: PageSource;
  readonly deletes: PageSource | undefined;
}

/** @throws {Error} in one sentence when the environment lacks something, or its URL cannot be used. */
export function openPageSources(
  settings: SourceSettings,
  { env, clock, openSecret, openGrant, ...telling }: SourceWorld,
): PageSources {
  const { auth, url, deletes, request } = settings;
  const text = resolveSetting(url, env);
  const urlName = typeof url === 'string' ? undefined : url.env;
  const [clash] = paramsInUrl(settings, text);
  if (clash !== undefined) throw new Error(`${urlName ?? 'source.url'} ${clash}`);
  const common = {
    urlName,
    // Of one API there is one token at a time.
    authorize: sourceAuthorize(auth, { openSecret, openGrant, env, clock }),
    ...(auth.kind === 'none' ? {} : { refetchOn: auth.refetchOn }),
    clock,
    ...telling,
  };
  const source = httpPageSource({
    url: text,
    request: toRequestForm(settings, env),
    ...common,
    ...toBodyRules(settings),
  });
  if (deletes === undefined) return { source, deletes };
  const rules = toBodyRules({ ...settings, records: deletes.records });
  const byGet = request && { ...request, method: 'GET' as const, body: undefined };
  const deletesSource = httpPageSource({
    url: beside(text, deletes.path),
    request: toRequestForm({ ...settings, ...deletes, request: byGet }, env),
    ...common,
    ...rules,
  });
  return { source, deletes: deletesSource };
}

/** Another path of the origin: no path leads elsewhere, as it takes the place of the path alone. */
function beside(text: string, path: string): string {
  const url = new URL(text);
  url.pathname = path;
  url.search = '';
  return url.href;
}
