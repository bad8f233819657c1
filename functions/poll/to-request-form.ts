import type { RequestForm } from '#adapters/http/page-source';
import type { JsonObject } from '#core/record/json';
import type { SourceSettings } from '#config/pipeline-settings';
import { sourceParams } from '#config/source-params';
import type { Environment } from '#functions/required-variable';
import { resolveSetting } from './environment.ts';

/** How a source is asked, with the settings of where it is asked from. @throws {Error} naming one that is missing. */
export function toRequestForm(source: SourceSettings, env: Environment): RequestForm | undefined {
  const { request } = source;
  if (request === undefined) return undefined;
  const { method, headers, body } = request;
  const texts = Object.entries(headers).map(([name, value]) => [
    name,
    headerText(name, value, env),
  ]);
  const params = [...sourceParams(source).values()];
  return {
    method,
    headers: Object.fromEntries(texts) as Record<string, string>,
    body: body && { template: body as JsonObject, params },
  };
}

/** What the environment holds was seen by no schema. */
function headerText(
  name: string,
  value: Parameters<typeof resolveSetting>[0],
  env: Environment,
): string {
  const text = resolveSetting(value, env);
  if (/^[\t\u0020-\u007e]*$/.test(text)) return text;
  throw new Error(`source.request.headers.${name} is not one line of ASCII`);
}
