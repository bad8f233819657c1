/** The modules that Lambda starts: a handler, given its pipeline's settings. */
import { join } from 'node:path';
import type { LoadedPipeline } from '#config/load-pipelines';
import { consumerNames, pipelineNames } from '#config/resource-names';
import type { BundleEntry } from './bundle.ts';

/**
 * Write one entry for each function of a pipeline, named like the function.
 *
 * Settings go in as plain data, checked and complete, so that no function holds the schema.
 * Handlers are named by path: synthesis never loads them.
 */
export function functionEntries(ask: {
  readonly stage: string;
  readonly pipeline: LoadedPipeline;
  /** Holds `poll/handler.ts` and `consume/handler.ts`. */
  readonly functionsDirectory: string;
}): readonly BundleEntry[] {
  const { stage, functionsDirectory } = ask;
  const { settings, path } = ask.pipeline;
  const handler = (verb: string): string => quoted(join(functionsDirectory, verb, 'handler.ts'));
  const consumers = settings.consumers.map(({ name }) => ({
    name: consumerNames(stage, settings.name, name).function,
    source: [
      `import { consumeHandler } from ${handler('consume')};`,
      `export const handler = consumeHandler(${quoted(settings)}, ${quoted(name)});`,
    ].join('\n'),
  }));
  const poll = {
    name: pipelineNames(stage, settings.name).pollFunction,
    source: [
      `import file from ${quoted(path)};`,
      `import { pollHandler } from ${handler('poll')};`,
      `export const handler = pollHandler(${quoted(settings)}, file.map);`,
    ].join('\n'),
  };
  return [poll, ...consumers];
}

function quoted(value: unknown): string {
  return JSON.stringify(value);
}
