/** The value that Secrets Manager would make up for a secret. */
import { createHash } from 'node:crypto';
import type { Properties } from './resource-type.ts';

interface Generate {
  readonly SecretStringTemplate?: string;
  readonly GenerateStringKey?: string;
  readonly PasswordLength?: number;
}

/** @source CloudFormation User Guide, AWS::SecretsManager::Secret GenerateSecretString. */
const LENGTH = 32;

/**
 * The value of a secret that a template declares: its own, or made up. It is the same from run to run
 * (a secret for a machine of one's own), of letters and digits, whatever is asked to be left out.
 */
export function secretValue(name: string, properties: Properties): string | undefined {
  const { SecretString, GenerateSecretString } = properties;
  if (SecretString !== undefined) return String(SecretString);
  if (GenerateSecretString === undefined) return undefined;
  const ask = GenerateSecretString as Generate;
  const password = passwordOf(name, ask.PasswordLength ?? LENGTH);
  if (ask.GenerateStringKey === undefined) return password;
  const template = JSON.parse(ask.SecretStringTemplate ?? '{}') as object;
  return JSON.stringify({ ...template, [ask.GenerateStringKey]: password });
}

function passwordOf(name: string, length: number): string {
  let text = '';
  for (let block = 0; text.length < length; block++) {
    text += createHash('sha256').update(`${name}/${block}`).digest('hex');
  }
  return text.slice(0, length);
}
