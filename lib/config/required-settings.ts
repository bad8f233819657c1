/** Lists what a pipeline needs from where it runs: settings and secrets. */
import type {
  ConsumerSettings,
  PipelineSettings,
  Setting,
  SourceAuth,
  SourceSettings,
  TextOrSetting,
} from './pipeline-settings.ts';

type Needy = Pick<PipelineSettings, 'consumers'> & {
  readonly source: Pick<SourceSettings, 'url' | 'query' | 'auth' | 'request' | 'deletes'>;
};

/** Every setting of the pipeline's source and handlers, each environment variable once. */
export function requiredSettings({ source, consumers }: Needy): readonly Setting[] {
  const texts = [
    source.url,
    ...Object.values(authTexts(source.auth)),
    ...Object.values(source.query),
    ...Object.values(source.request?.headers ?? {}),
    ...Object.values(source.deletes?.query ?? {}),
    ...consumers.flatMap((consumer) => Object.values(environmentOf(consumer))),
  ];
  const settings = texts.filter(isSetting);
  return [...new Map(settings.map((setting) => [setting.env, setting])).values()];
}

/** Every secret of the pipeline's source and handlers, each once, without its stage prefix. */
export function requiredSecrets({ source, consumers }: Needy): readonly string[] {
  const secret = authSecret(source.auth);
  return [
    ...new Set([
      ...(secret === undefined ? [] : [secret]),
      ...consumers.flatMap((consumer) => (consumer.kind === 'handler' ? consumer.secrets : [])),
    ]),
  ];
}

/** The secret that the source is shown, if any, without its stage prefix. */
export function authSecret(auth: SourceAuth): string | undefined {
  return auth.kind === 'none' ? undefined : auth.secret;
}

/** Whether the source's secret holds a refresh token, which functions replace. */
export function isRefreshGrant(auth: SourceAuth): boolean {
  return auth.kind === 'oauth2' && auth.grant === 'refresh-token';
}

/** What of the source's credentials may be a setting, by its key in the file. */
export function authTexts(auth: SourceAuth): Readonly<Record<string, TextOrSetting>> {
  if (auth.kind !== 'oauth2') return {};
  const { tokenUrl, clientId, scope, audience } = auth;
  return {
    tokenUrl,
    clientId,
    ...(scope === undefined ? {} : { scope }),
    ...(audience === undefined ? {} : { audience }),
  };
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
