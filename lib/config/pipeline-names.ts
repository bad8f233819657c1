/** Checks the names that a stage's pipelines would take, against AWS and against one another. */
import type { PipelineSettings } from './pipeline-settings.ts';
import { consumerNames, pipelineNames, secretName } from './resource-names.ts';
import { parameterName, requiredSecrets, requiredSettings } from './required-settings.ts';

/** @source Lambda, CreateFunction: 64. EventBridge Scheduler, CreateSchedule: 64. */
const FUNCTION_NAME_MAX = 64;
/** @source S3, bucket naming rules. */
const BUCKET_NAME_MAX = 63;
/** `-<account>-<region>`, for the longest region's name, such as `ap-southeast-1`. */
const BUCKET_SUFFIX_LENGTH = 1 + 12 + 1 + 14;

export interface FiledPipeline {
  /** `orders.ts` */
  readonly file: string;
  readonly settings: PipelineSettings;
}

/** Every name that is too long or is taken twice, as a sentence that begins with its file. */
export function nameFaults(stage: string, pipelines: readonly FiledPipeline[]): readonly string[] {
  const owners = new Map<string, string>();
  const faults: string[] = [];
  for (const { file, settings } of pipelines) {
    for (const { what, name, length, max } of namesTaken(stage, settings)) {
      const id = `${what} ${name}`;
      const owner = owners.get(id);
      if (owner !== undefined) {
        const by = owner === file ? 'twice in this file' : `by ${owner} too`;
        const remedy = what === 'secret' ? ': give it another name in source.auth.secret' : '';
        faults.push(`${file}: the ${what} '${name}' would be taken ${by}${remedy}`);
      }
      if (length > max) {
        const excess = length - max;
        faults.push(
          `${file}: name: the ${what} '${name}' would be ${excess} too long (${max} characters at most)`,
        );
      }
      owners.set(id, file);
    }
  }
  return faults;
}

function namesTaken(stage: string, settings: PipelineSettings) {
  const names = pipelineNames(stage, settings.name);
  const consumers = settings.consumers.map(({ kind, name }) => ({
    kind,
    ...consumerNames(stage, settings.name, name),
  }));
  const plain = (what: string, name: string, max: number) => ({
    what,
    name,
    length: name.length,
    max,
  });
  const bucket = names.quarantineBucketPrefix;
  return [
    { ...plain('bucket', bucket, BUCKET_NAME_MAX), length: bucket.length + BUCKET_SUFFIX_LENGTH },
    plain('function', names.pollFunction, FUNCTION_NAME_MAX),
    ...consumers.map((consumer) => plain('function', consumer.function, FUNCTION_NAME_MAX)),
    ...consumers
      .filter(({ kind }) => kind === 'table')
      .map((consumer) => plain('table', consumer.table, Infinity)),
    ...requiredSecrets(settings).map((secret) =>
      plain('secret', secretName(stage, secret), Infinity),
    ),
    ...requiredSettings(settings).map(({ env }) =>
      plain('parameter', `${settings.name}.${parameterName(env)}`, Infinity),
    ),
  ];
}
