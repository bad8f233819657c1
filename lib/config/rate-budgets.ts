/** Whose budget a pipeline's requests are taken from, and that all who share it say the same. */
import type { PipelineSettings, RateSettings } from './pipeline-settings.ts';

/** Names the budget; undefined where the pipeline has none. */
export function rateApi({
  name,
  source,
}: Pick<PipelineSettings, 'name' | 'source'>): string | undefined {
  return source.rate && (source.rate.api ?? name);
}

interface File {
  readonly file: string;
  readonly settings: PipelineSettings;
}

/** One sentence for each file that gives an API another rate than the first that names it. */
export function rateFaults(pipelines: readonly File[]): readonly string[] {
  const first = new Map<string, { readonly file: string; readonly text: string }>();
  return pipelines.flatMap(({ file, settings }) => {
    const api = rateApi(settings);
    if (api === undefined || settings.source.rate === undefined) return [];
    const text = rateText(settings.source.rate);
    const known = first.get(api);
    if (known === undefined) first.set(api, { file, text });
    if (known === undefined || known.text === text) return [];
    return [
      `${file}: source.rate: gives '${api}' ${text}, ${known.file} gives it ${known.text}: ` +
        'write the same in both, or give one another `api`',
    ];
  });
}

function rateText({ requests, perSec, burst }: RateSettings): string {
  return `${requests} requests in ${perSec} s (burst ${burst})`;
}
