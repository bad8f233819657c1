/** Some of the project's pipelines, apart from whatever else it runs. */
import { mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { loadPipelines } from '#config/load-pipelines';
import type { LoadedPipeline } from '#config/load-pipelines';
import type { PipelineSettings } from '#config/pipeline-settings';
import { CliError } from './cli-error.ts';
import { pick } from './load.ts';
import { PIPELINES_DIRECTORY, SCRATCH_DIRECTORY } from './project.ts';

export interface ChosenPipelines {
  readonly pipelines: readonly PipelineSettings[];
  /** Where only they are; undefined when the project has no others. */
  readonly pipelinesDirectory: string | undefined;
}

/**
 * Choose pipelines by name; where there are others, a folder of links holds the chosen.
 *
 * @throws {UsageError} when one is missing. @throws {CliError} when any is faulty.
 */
export async function choosePipelines(
  names: readonly string[],
  stage: string,
  directory = PIPELINES_DIRECTORY,
): Promise<ChosenPipelines> {
  const outcome = await loadPipelines({ directory, stage });
  if (outcome.kind === 'faulty') throw new CliError(outcome.faults.join('\n'));
  const all = outcome.pipelines.map(({ settings }) => settings);
  for (const name of names) pick(all, name);
  const chosen = outcome.pipelines.filter(({ settings }) => names.includes(settings.name));
  const hasOthers = chosen.length < outcome.pipelines.length;
  return {
    pipelines: chosen.map(({ settings }) => settings),
    pipelinesDirectory: hasOthers
      ? linkInto(join(SCRATCH_DIRECTORY, ['only', ...names].join('-')), chosen)
      : undefined,
  };
}

function linkInto(directory: string, pipelines: readonly LoadedPipeline[]): string {
  rmSync(directory, { recursive: true, force: true });
  mkdirSync(directory, { recursive: true });
  for (const { file, path } of pipelines) symlinkSync(path, join(directory, file));
  return directory;
}
