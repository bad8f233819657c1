/** Lists what a pipeline needs from where it runs: settings and secrets. */
import type {
  ConsumerSettings,
  PipelineSettings,
  Setting,
  SourceSettings,
  TextOrSetting,
} from './pipeline-settings.ts';

type Needy = Pick<PipelineSettings, 'consumers'> & {
  readonly source: Pick<SourceSettings, 'url' | 'query' | 'auth'>;
};

/** Every setting of the pipeline's source and handlers, each environment variable once. */
export function requiredSettings({ source, consumers }: Needy): readonly Setting[] {
  const texts = [
    source.url,
    ...Object.values(source.query),
    ...consumers.flatMap((consumer) => Object.values(environmentOf(consumer))),
  ];
  const settings = texts.filter(isSetting);
  return [...new Map(settings.map((setting) => [setting.env, setting])).values()];
}

/** Every secret of the pipeline's source and handlers, each once, without its stage prefix. */
export function requiredSecrets({ source, consumers }: Needy): readonly string[] {
  const { auth } = source;
  return [
    ...new Set([
      ...(auth.kind === 'bearer' ? [auth.secret] : []),
      ...consumers.flatMap((consumer) => (consumer.kind === 'handler' ? consumer.secrets : [])),
    ]),
  ];
}

function environmentOf(consumer: ConsumerSettings): Readonly<Record<string, TextOrSetting>> {
  return consumer.kind === 'handler' ? consumer.environment : {};
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
