/** Pipelines as the commands need them. */
import type { LoadedPipeline } from '#config/load-pipelines';
import type { PipelineSettings } from '#config/pipeline-settings';
import { CliError, UsageError } from './cli-error.ts';
import { PIPELINES_DIRECTORY } from './project.ts';

/** Load every pipeline of a folder. @throws {CliError} with everything that is wrong with them. */
export async function loadAll(
  stage: string,
  directory: string = PIPELINES_DIRECTORY,
): Promise<readonly PipelineSettings[]> {
  return (await loadWithMaps(stage, directory)).map(({ settings }) => settings);
}

/** Load one pipeline with its map. @throws {CliError} as `loadAll`. @throws {UsageError} as `pick`. */
export async function loadOne(
  name: string,
  { stage, directory }: { readonly stage: string; readonly directory: string },
): Promise<LoadedPipeline> {
  const loaded = await loadWithMaps(stage, directory);
  const settings = loaded.map((one) => one.settings);
  return loaded[settings.indexOf(pick(settings, name))] as LoadedPipeline;
}

async function loadWithMaps(stage: string, directory: string): Promise<readonly LoadedPipeline[]> {
  const { loadPipelines } = await import('#config/load-pipelines');
  const outcome = await loadPipelines({ directory, stage });
  if (outcome.kind === 'faulty') throw new CliError(outcome.faults.join('\n'));
  return outcome.pipelines;
}

/** Find one pipeline by its name. @throws {UsageError} naming those there are. */
export function pick(pipelines: readonly PipelineSettings[], name: string): PipelineSettings {
  const found = pipelines.find((pipeline) => pipeline.name === name);
  if (found !== undefined) return found;
  const known = pipelines.map((pipeline) => pipeline.name).join(', ');
  throw new UsageError(`There is no pipeline '${name}'; there are: ${known}.`);
}

/** Find one consumer by its name. @throws {UsageError} naming those there are. */
export function pickConsumer(
  { name: pipeline, consumers }: PipelineSettings,
  name: string,
): PipelineSettings['consumers'][number] {
  const found = consumers.find((consumer) => consumer.name === name);
  if (found !== undefined) return found;
  const known = consumers.map((consumer) => consumer.name).join(', ');
  throw new UsageError(`${pipeline} has no consumer '${name}'; there are: ${known}.`);
}

/** A consumer that keeps a table: by its name, or the first. @throws {CliError} when there is none. */
export function pickTable(
  pipeline: PipelineSettings,
  name: string | undefined,
): PipelineSettings['consumers'][number] {
  const tables = pipeline.consumers.filter(({ kind }) => kind === 'table');
  const found = name === undefined ? tables[0] : pickConsumer(pipeline, name);
  if (found === undefined) {
    throw new CliError(`${pipeline.name} has no table: its consumers are handlers.`);
  }
  if (found.kind === 'table') return found;
  throw new CliError(`${found.name} of ${pipeline.name} is a handler: it keeps no table.`);
}

/** One consumer by its name, or the only one. @throws {UsageError} naming those there are. */
export function pickOnlyConsumer(
  pipeline: PipelineSettings,
  name: string | undefined,
): PipelineSettings['consumers'][number] {
  if (name !== undefined) return pickConsumer(pipeline, name);
  const [only, ...others] = pipeline.consumers;
  if (only !== undefined && others.length === 0) return only;
  const known = pipeline.consumers.map((consumer) => consumer.name).join(', ');
  throw new UsageError(`--consumer says which of ${known}.`);
}
