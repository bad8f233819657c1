/** A handler with what its file is told by the template. */
import { signedFetch } from '#adapters/aws/signed-fetch';
import { secretReader } from '#adapters/secrets/secret-reader';
import { systemClock } from '#adapters/system/clock';
import type { HandlerConsumerSettings } from '#config/pipeline-settings';
import { requiredVariable } from '#functions/required-variable';
import type { Environment } from '#functions/required-variable';
import type { Handler } from '#ports/handler';
import { rememberedSecrets } from './secrets.ts';
import { userHandler } from './user-handler.ts';

/** @throws {Error} in one sentence when the environment or the file lacks something. */
export function openUserHandler(
  { per, file, environment, secrets }: HandlerConsumerSettings,
  exported: unknown,
  env: Environment,
): Handler {
  const variables = Object.keys(environment).map((name) => {
    const value = env[name];
    if (value === undefined) throw new Error(`${name} is not set: the template should set it`);
    return [name, value] as const;
  });
  const prefix = secrets.length === 0 ? '' : requiredVariable(env, 'PENSTOCK_SECRET_PREFIX');
  const send = signedFetch('secretsmanager', env);
  const open = (secret: string) => secretReader(send, `${prefix}${secret}`);
  return userHandler({
    exported,
    per,
    file,
    environment: Object.fromEntries(variables),
    secrets: rememberedSecrets(secrets, open, systemClock.nowMs),
  });
}
