/** The modules that Lambda starts: a handler, given its pipeline's settings. */
import { join } from 'node:path';
import { handlerPath } from '#config/handler-file';
import type { LoadedPipeline } from '#config/load-pipelines';
import type { ConsumerSettings } from '#config/pipeline-settings';
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
  /** Holds a `handler.ts` for each verb: `poll`, `recover`, `consume` and `handle`. */
  readonly functionsDirectory: string;
}): readonly BundleEntry[] {
  const { stage, functionsDirectory } = ask;
  const { settings, path } = ask.pipeline;
  const handler = (verb: string): string => quoted(join(functionsDirectory, verb, 'handler.ts'));
  const consumerSource = (consumer: ConsumerSettings): string => {
    const asked = `${quoted(settings)}, ${quoted(consumer.name)}`;
    if (consumer.kind === 'table') {
      return [
        `import { consumeHandler } from ${handler('consume')};`,
        `export const handler = consumeHandler(${asked});`,
      ].join('\n');
    }
    return [
      `import file from ${quoted(handlerPath(path, consumer))};`,
      `import { handleHandler } from ${handler('handle')};`,
      `export const handler = handleHandler(${asked}, file);`,
    ].join('\n');
  };
  const consumers = settings.consumers.map((consumer) => ({
    name: consumerNames(stage, settings.name, consumer.name).function,
    source: consumerSource(consumer),
  }));
  const poll = {
    name: pipelineNames(stage, settings.name).pollFunction,
    source: [
      `import file from ${quoted(path)};`,
      `import { pollHandler } from ${handler('poll')};`,
      `export const handler = pollHandler(${quoted(settings)}, file.map);`,
    ].join('\n'),
  };
  const recover = {
    name: pipelineNames(stage, settings.name).recoverFunction,
    source: [
      `import { recoverHandler } from ${handler('recover')};`,
      `export const handler = recoverHandler(${quoted(settings)});`,
    ].join('\n'),
  };
  return [poll, ...consumers, recover];
}

function quoted(value: unknown): string {
  return JSON.stringify(value);
}
