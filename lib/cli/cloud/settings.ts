/** What pipelines need from the environment before they can run: settings and secrets. */
import { hash } from 'node:crypto';
import type { PipelineSettings } from '#config/pipeline-settings';
import { paramsInUrl } from '#config/source-params';
import { urlFault } from '#config/url-fault';
import {
  authSecret,
  isRefreshGrant,
  isSetting,
  parameterName,
  requiredSecrets,
  requiredSettings,
} from '#config/required-settings';
import { secretName } from '#config/resource-names';
import { LOGIN_FORM, parseLogin } from '#adapters/http/auth/login';
import { GRANT_FORM, heldAccessToken, parseGrant } from '#adapters/http/auth/grant-text';
import { CliError } from '#cli/cli-error';
import type { Environment } from '#cli/choose-cloud';

export interface SecretValue {
  /** As Secrets Manager knows it. */
  readonly name: string;
  readonly value: string;
  /** The id of the version that the value becomes: put once, it is not put again. */
  readonly versionId?: string;
}

/**
 * Make sure that nothing is missing or useless.
 *
 * @param grant what becomes of a refresh token: functions use it up and store the next; or it is not
 *   used, and the secret holds an access token to show; or the cloud's is used, and no variable is asked.
 * @throws {CliError} naming every variable, and who needs it.
 */
export function refuseUnfit(
  pipelines: readonly PipelineSettings[],
  env: Environment,
  grant: GrantUse = 'used',
): void {
  const sentences = pipelines.flatMap((pipeline) => [
    ...missingSentences(pipeline, env, grant),
    ...urlSentences(pipeline, env),
    ...loginSentences(pipeline, env),
    ...grantSentences(pipeline, env, grant),
  ]);
  if (sentences.length > 0) throw new CliError(sentences.join('\n'));
}

type GrantUse = 'used' | 'unused' | 'stored';

function missingSentences(pipeline: PipelineSettings, env: Environment, grant: GrantUse): string[] {
  const { name, source } = pipeline;
  const stored = grant === 'stored' ? authSecret(source.auth) : undefined;
  const open = requiredSettings(pipeline).filter((setting) => setting.default === undefined);
  const variables = [
    ...open.map((setting) => setting.env),
    ...requiredSecrets(pipeline)
      .filter((secret) => secret !== stored)
      .map(secretVariable),
  ];
  const missing = variables.filter((variable) => !env[variable]);
  if (missing.length === 0) return [];
  const [are, them] = missing.length === 1 ? ['is', 'it'] : ['are', 'them'];
  return [`${missing.join(', ')} ${are} not set: ${name} needs ${them}.`];
}

/** The value is not repeated: it may hold what nobody is to read. */
function urlSentences({ name, source }: PipelineSettings, env: Environment): string[] {
  const { url, auth } = source;
  const tokenUrl = auth.kind === 'oauth2' ? auth.tokenUrl : url;
  return [...new Set([url, tokenUrl])].filter(isSetting).flatMap((setting) => {
    const value = env[setting.env];
    if (!value) return [];
    const clash = setting === url ? paramsInUrl(source, value)[0] : undefined;
    const fault = urlFault(value) ?? clash;
    const use = setting === url ? 'polls it' : 'fetches tokens there';
    return fault === undefined ? [] : [`${setting.env} ${fault}: ${name} ${use}.`];
  });
}

/** A secret of another form would fail each poll. */
function loginSentences({ name, source: { auth } }: PipelineSettings, env: Environment): string[] {
  if (auth.kind !== 'basic') return [];
  const variable = secretVariable(auth.secret);
  const value = env[variable];
  if (!value || parseLogin(value) !== undefined) return [];
  return [`${variable} ${LOGIN_FORM}: ${name} shows it to its source.`];
}

function grantSentences(
  { name, source: { auth } }: PipelineSettings,
  env: Environment,
  grant: GrantUse,
): string[] {
  if (grant === 'stored') return [];
  const secret = authSecret(auth);
  const variable = secret !== undefined && isRefreshGrant(auth) ? secretVariable(secret) : '';
  const value = env[variable];
  if (!value) return [];
  if (grant === 'used') {
    const isOne = parseGrant(value) !== undefined;
    return isOne ? [] : [`${variable} ${GRANT_FORM}: ${name} refreshes its access tokens by it.`];
  }
  if (heldAccessToken(value) !== undefined) return [];
  return [
    `${variable} must hold an access token, as {"accessToken":"…"}: the refresh token of ${name} is not ` +
      'used here, since the one that follows it would be lost.',
  ];
}

/** Values of CloudFormation parameters, by name: the environment's, else the file's default. */
export function parameterValues(
  pipelines: readonly PipelineSettings[],
  env: Environment,
): Readonly<Record<string, string>> {
  const settings = pipelines.flatMap(requiredSettings);
  return Object.fromEntries(
    settings.map((setting) => [
      parameterName(setting.env),
      env[setting.env] || (setting.default ?? ''),
    ]),
  );
}

/** Values of the secrets that pipelines name. */
export function secretValues(
  pipelines: readonly PipelineSettings[],
  { stage, env }: { stage: string; env: Environment },
): readonly SecretValue[] {
  const distinct = new Set(pipelines.flatMap(requiredSecrets));
  const grants = pipelines.map(({ source: { auth } }) => isRefreshGrant(auth) && authSecret(auth));
  return [...distinct].map((secret) => {
    const value = env[secretVariable(secret)] ?? '';
    const named = { name: secretName(stage, secret), value };
    // A refresh token that was put before has been used up: what followed it is to stay.
    return grants.includes(secret) ? { ...named, versionId: hash('sha256', value, 'hex') } : named;
  });
}

/** The variable that carries a secret's value: `orders-api-token` → `ORDERS_API_TOKEN`. */
export function secretVariable(secret: string): string {
  return secret.replaceAll('-', '_').toUpperCase();
}
