/** The pipelines that the demo has sources for, apart from whatever else the project runs. */
import { mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { CliError } from '#cli/cli-error';
import { PIPELINES_DIRECTORY, SCRATCH_DIRECTORY } from '#cli/project';
import { loadPipelines } from '#config/load-pipelines';
import type { LoadedPipeline } from '#config/load-pipelines';
import type { PipelineSettings } from '#config/pipeline-settings';

export interface DemoPipelines {
  readonly pipelines: readonly PipelineSettings[];
  /** Undefined when the project has no others. */
  readonly pipelinesDirectory: string | undefined;
}

/**
 * Choose the demo's pipelines; where there are others, a folder of links holds the chosen.
 *
 * @throws {CliError} when one of the demo's is missing or faulty.
 */
export async function demoPipelines(
  names: readonly string[],
  stage: string,
): Promise<DemoPipelines> {
  const outcome = await loadPipelines({ directory: PIPELINES_DIRECTORY, stage });
  if (outcome.kind === 'faulty') throw new CliError(outcome.faults.join('\n'));
  const chosen = outcome.pipelines.filter(({ settings }) => names.includes(settings.name));
  const missing = names.find((name) => chosen.every(({ settings }) => settings.name !== name));
  if (missing !== undefined) {
    throw new CliError(
      `The demo needs the pipeline '${missing}', and pipelines/ has none of that name.`,
    );
  }
  const hasOthers = chosen.length < outcome.pipelines.length;
  return {
    pipelines: chosen.map(({ settings }) => settings),
    pipelinesDirectory: hasOthers
      ? linkInto(join(SCRATCH_DIRECTORY, 'demo-pipelines'), chosen)
      : undefined,
  };
}

function linkInto(directory: string, pipelines: readonly LoadedPipeline[]): string {
  rmSync(directory, { recursive: true, force: true });
  mkdirSync(directory, { recursive: true });
  for (const { file, path } of pipelines) symlinkSync(path, join(directory, file));
  return directory;
}
