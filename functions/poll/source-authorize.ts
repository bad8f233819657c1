/** What a pipeline file says of credentials, with the secret and the settings of where it runs. */
import { apiKey } from '#adapters/http/auth/api-key';
import type { Authorize, ReadSecret } from '#adapters/http/auth/authorize';
import { basic } from '#adapters/http/auth/basic';
import { bearer } from '#adapters/http/auth/bearer';
import { heldAccessToken } from '#adapters/http/auth/grant-text';
import { oauth2 } from '#adapters/http/auth/oauth2';
import { refreshGrant } from '#adapters/http/auth/refresh-grant';
import type { GrantWorld } from '#adapters/http/auth/refresh-grant';
import { tokenEndpoint } from '#adapters/http/auth/token-endpoint';
import type { SecretForm } from '#adapters/secrets/secret-reader';
import type { SourceAuth, TextOrSetting } from '#config/pipeline-settings';
import type { Environment } from '#functions/required-variable';
import type { Clock } from '#ports/clock';
import { resolveSetting } from './environment.ts';

/**
 * @param openSecret makes what reads the source's secret, whose text has the form given.
 * @param openGrant makes what a refresh token is used by; undefined where it must not be used up.
 * @returns undefined where the source asks for no credentials.
 * @throws {Error} in one sentence when the environment lacks something.
 */
export function sourceAuthorize(
  auth: SourceAuth,
  {
    openSecret,
    openGrant,
    env,
    clock,
  }: {
    readonly openSecret: (form: SecretForm) => ReadSecret;
    readonly openGrant?: (() => GrantWorld) | undefined;
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
      if (auth.grant === 'client-credentials') {
        return oauth2(client, { readSecret: openSecret('token'), clock });
      }
      if (openGrant !== undefined) {
        return refreshGrant(tokenEndpoint(client, { clock }), openGrant());
      }
      const readText = openSecret('text');
      return bearer(async (ask) => heldAccessToken(await readText(ask)) ?? '');
    }
  }
}
