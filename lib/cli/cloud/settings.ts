/** What pipelines need from the environment before they can run: settings and secrets. */
import type { PipelineSettings } from '#config/pipeline-settings';
import { urlFault } from '#config/url-fault';
import {
  isSetting,
  parameterName,
  requiredSecrets,
  requiredSettings,
} from '#config/required-settings';
import { secretName } from '#config/resource-names';
import { LOGIN_FORM, parseLogin } from '#adapters/http/auth/login';
import { CliError } from '#cli/cli-error';
import type { Environment } from '#cli/choose-cloud';

export interface SecretValue {
  /** As Secrets Manager knows it. */
  readonly name: string;
  readonly value: string;
}

/** Make sure that nothing is missing or useless. @throws {CliError} naming every variable, and who needs it. */
export function refuseUnfit(pipelines: readonly PipelineSettings[], env: Environment): void {
  const sentences = pipelines.flatMap((pipeline) => [
    ...missingSentences(pipeline, env),
    ...urlSentences(pipeline, env),
    ...loginSentences(pipeline, env),
  ]);
  if (sentences.length > 0) throw new CliError(sentences.join('\n'));
}

function missingSentences(pipeline: PipelineSettings, env: Environment): string[] {
  const { name } = pipeline;
  const open = requiredSettings(pipeline).filter((setting) => setting.default === undefined);
  const variables = [
    ...open.map((setting) => setting.env),
    ...requiredSecrets(pipeline).map(secretVariable),
  ];
  const missing = variables.filter((variable) => !env[variable]);
  if (missing.length === 0) return [];
  const [are, them] = missing.length === 1 ? ['is', 'it'] : ['are', 'them'];
  return [`${missing.join(', ')} ${are} not set: ${name} needs ${them}.`];
}

/** The value is not repeated: it may hold what nobody is to read. */
function urlSentences(
  { name, source: { url, auth } }: PipelineSettings,
  env: Environment,
): string[] {
  const tokenUrl = auth.kind === 'oauth2' ? auth.tokenUrl : url;
  return [...new Set([url, tokenUrl])].filter(isSetting).flatMap((setting) => {
    const value = env[setting.env];
    const fault = value ? urlFault(value) : undefined;
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
  return [...distinct].map((secret) => ({
    name: secretName(stage, secret),
    value: env[secretVariable(secret)] ?? '',
  }));
}

/** The variable that carries a secret's value: `orders-api-token` → `ORDERS_API_TOKEN`. */
export function secretVariable(secret: string): string {
  return secret.replaceAll('-', '_').toUpperCase();
}
