/** Lists what a pipeline reads from the environment where it runs. */
import type { PipelineSettings, Setting, TextOrSetting } from './pipeline-settings.ts';

/** Every setting of the pipeline's source, each environment variable once. */
export function requiredSettings(source: {
  readonly url: TextOrSetting;
  readonly query: PipelineSettings['source']['query'];
}): readonly Setting[] {
  const settings = [source.url, ...Object.values(source.query)].filter(isSetting);
  return [...new Map(settings.map((setting) => [setting.env, setting])).values()];
}

export function isSetting(value: TextOrSetting): value is Setting {
  return typeof value !== 'string';
}

/**
 * Name the CloudFormation parameter that carries an environment variable.
 *
 * @example parameterName('ORDERS_API_URL'); // 'OrdersApiUrl'
 */
export function parameterName(env: string): string {
  return env
    .split('_')
    .map((word) => word.charAt(0) + word.slice(1).toLowerCase())
    .join('');
}
