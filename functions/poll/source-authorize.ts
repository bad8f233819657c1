/** What a pipeline file says of credentials, with the secret and the settings of where it runs. */
import { apiKey } from '#adapters/http/auth/api-key';
import type { Authorize, ReadSecret } from '#adapters/http/auth/authorize';
import { basic } from '#adapters/http/auth/basic';
import { bearer } from '#adapters/http/auth/bearer';
import { oauth2 } from '#adapters/http/auth/oauth2';
import type { SecretForm } from '#adapters/secrets/secret-reader';
import type { SourceAuth, TextOrSetting } from '#config/pipeline-settings';
import type { Environment } from '#functions/required-variable';
import type { Clock } from '#ports/clock';
import { resolveSetting } from './environment.ts';

/**
 * @param openSecret makes what reads the source's secret, whose text has the form given.
 * @returns undefined where the source asks for no credentials.
 * @throws {Error} in one sentence when the environment lacks something.
 */
export function sourceAuthorize(
  auth: SourceAuth,
  {
    openSecret,
    env,
    clock,
  }: {
    readonly openSecret: (form: SecretForm) => ReadSecret;
    readonly env: Environment;
    readonly clock: Clock;
  },
): Authorize | undefined {
  const text = (value: TextOrSetting | undefined) =>
    value === undefined ? undefined : resolveSetting(value, env);
  switch (auth.kind) {
    case 'none':
      return undefined;
    case 'bearer':
      return bearer(openSecret('token'));
    case 'api-key':
      return apiKey(auth, openSecret('token'));
    case 'basic':
      return basic(openSecret('text'));
    case 'oauth2': {
      const { tokenUrl, clientId, scope, audience, clientIn } = auth;
      const client = {
        tokenUrl: resolveSetting(tokenUrl, env),
        tokenUrlName: typeof tokenUrl === 'string' ? undefined : tokenUrl.env,
        clientId: resolveSetting(clientId, env),
        scope: text(scope),
        audience: text(audience),
        clientIn,
      };
      return oauth2(client, { readSecret: openSecret('token'), clock });
    }
  }
}
