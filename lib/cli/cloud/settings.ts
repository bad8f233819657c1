/** What pipelines need from the environment before they can run: settings and secrets. */
import type { PipelineSettings } from '#config/pipeline-settings';
import { parameterName, requiredSettings } from '#config/required-settings';
import { secretName } from '#config/resource-names';
import { CliError } from '#cli/cli-error';
import type { Environment } from '#cli/connection';

export interface SecretValue {
  /** As Secrets Manager knows it. */
  readonly name: string;
  readonly value: string;
}

/** Values of the template's parameters. @throws {CliError} naming every missing variable. */
export function parameterValues(
  pipelines: readonly PipelineSettings[],
  env: Environment,
): Readonly<Record<string, string>> {
  const settings = pipelines.flatMap(({ source }) => requiredSettings(source));
  const missing = settings.filter((setting) => !env[setting.env] && setting.default === undefined);
  refuseMissing(missing.map((setting) => setting.env));
  return Object.fromEntries(
    settings.map((setting) => [
      parameterName(setting.env),
      env[setting.env] || (setting.default ?? ''),
    ]),
  );
}

/** Values of the secrets that pipelines name. @throws {CliError} naming every missing variable. */
export function secretValues(
  pipelines: readonly PipelineSettings[],
  { stage, env }: { stage: string; env: Environment },
): readonly SecretValue[] {
  const secrets = pipelines.flatMap(({ source: { auth } }) =>
    auth.kind === 'bearer' ? [auth.secret] : [],
  );
  const distinct = [...new Set(secrets)];
  refuseMissing(distinct.map(secretVariable).filter((variable) => !env[variable]));
  return distinct.map((secret) => ({
    name: secretName(stage, secret),
    value: env[secretVariable(secret)] ?? '',
  }));
}

/** The variable that carries a secret's value: `orders-api-token` → `ORDERS_API_TOKEN`. */
export function secretVariable(secret: string): string {
  return secret.replaceAll('-', '_').toUpperCase();
}

function refuseMissing(variables: readonly string[]): void {
  const distinct = [...new Set(variables)];
  if (distinct.length === 0) return;
  const [are, them] = distinct.length === 1 ? ['is', 'it'] : ['are', 'them'];
  throw new CliError(`${distinct.join(', ')} ${are} not set: a pipeline needs ${them}.`);
}
