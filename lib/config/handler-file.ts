/** Looks at the file of a handler without running it. */
import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { HandlerConsumerSettings, PipelineSettings } from './pipeline-settings.ts';

/** Where a handler lies, absolute. @param path of the pipeline file. */
export function handlerPath(path: string, { file }: { readonly file: string }): string {
  return resolve(dirname(path), file);
}

/** Everything wrong with the files that a pipeline's handlers name: `consumers[1].file: …`. */
export function handlerFileFaults(path: string, settings: PipelineSettings): readonly string[] {
  return settings.consumers.flatMap((consumer, index) => {
    const fault = consumer.kind === 'handler' ? faultOf(path, consumer) : undefined;
    return fault === undefined ? [] : [`consumers[${index}].${fault}`];
  });
}

const MAKERS = { record: 'defineHandler', key: 'defineRunHandler' } as const;
const DEFAULT_EXPORT = /^export default\b|^export \{[^}]*\b(?:as )?default\b[^}]*\}/m;
const MAKER_EXPORTED = /^export default (defineHandler|defineRunHandler)\b/m;

function faultOf(path: string, consumer: HandlerConsumerSettings): string | undefined {
  const { file, per } = consumer;
  const text = textOf(handlerPath(path, consumer));
  if (text === undefined) return `file: there is no file ${handlerPath(path, consumer)}`;
  const maker = MAKERS[per];
  if (!DEFAULT_EXPORT.test(text)) {
    return `file: ${file} has no default export; write \`export default ${maker}(…)\``;
  }
  const made = MAKER_EXPORTED.exec(text)?.[1];
  if (made === undefined || made === maker) return undefined;
  return `per: '${per}' needs \`${maker}\`, and ${file} exports what \`${made}\` makes`;
}

function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
