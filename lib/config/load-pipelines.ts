/** Reads every pipeline of a folder: one file each. */
import { readdirSync, realpathSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { handlerFileFaults } from './handler-file.ts';
import { parsePipeline } from './parse-pipeline.ts';
import { nameFaults } from './pipeline-names.ts';
import type { MapRecord, PipelineSettings } from './pipeline-settings.ts';
import { rateFaults } from './rate-budgets.ts';
import { STAGE_PATTERN } from './resource-names.ts';

export interface LoadedPipeline {
  /** `orders.ts` */
  readonly file: string;
  /** Absolute, and of the file itself where a link leads to it: its handlers lie beside that. */
  readonly path: string;
  readonly settings: PipelineSettings;
  readonly map: MapRecord | undefined;
}

export type LoadOutcome =
  | { readonly kind: 'loaded'; readonly pipelines: readonly LoadedPipeline[] }
  /** One sentence each, all of them: `orders.ts: schedule.evryMinutes: unknown key; …`. */
  | { readonly kind: 'faulty'; readonly faults: readonly string[] };

/** Import and check every `*.ts` of `directory`, in the order of their names. */
export async function loadPipelines(ask: {
  readonly directory: string;
  readonly stage: string;
}): Promise<LoadOutcome> {
  const { directory, stage } = ask;
  if (!STAGE_PATTERN.test(stage)) {
    const rule = '1 to 16 of a–z and 0–9, a letter first';
    return { kind: 'faulty', faults: [`stage '${stage}' must be ${rule}`] };
  }
  const files = filesOf(directory);
  if (files.length === 0) {
    return { kind: 'faulty', faults: [`${resolve(directory)} holds no pipeline files (*.ts)`] };
  }
  const read = await Promise.all(files.map((file) => readPipeline(directory, file)));
  const pipelines = read.flatMap((outcome) => (outcome.kind === 'loaded' ? outcome.pipelines : []));
  const faults = [
    ...read.flatMap((outcome) => (outcome.kind === 'faulty' ? outcome.faults : [])),
    ...repeatedPipelines(pipelines),
    ...rateFaults(pipelines),
    ...nameFaults(stage, pipelines.filter(isFirstOfItsName)),
  ];
  return faults.length > 0 ? { kind: 'faulty', faults } : { kind: 'loaded', pipelines };
}

function filesOf(directory: string): readonly string[] {
  try {
    return readdirSync(directory)
      .filter((file) => file.endsWith('.ts') && !file.endsWith('.d.ts'))
      .sort();
  } catch {
    return [];
  }
}

async function readPipeline(directory: string, file: string): Promise<LoadOutcome> {
  let path: string;
  let module: { readonly default?: unknown };
  try {
    path = realpathSync(join(directory, file));
    module = await import(pathToFileURL(path).href);
  } catch (error) {
    return { kind: 'faulty', faults: [`${file}: cannot be read: ${firstLine(error)}`] };
  }
  if (module.default === undefined) {
    const fault = `${file}: has no default export; write \`export default definePipeline({ … })\``;
    return { kind: 'faulty', faults: [fault] };
  }
  const parsed = parsePipeline(module.default);
  const faults =
    parsed.kind === 'faulty' ? parsed.faults : handlerFileFaults(path, parsed.settings);
  if (parsed.kind === 'faulty' || faults.length > 0) {
    return { kind: 'faulty', faults: faults.map((fault) => `${file}: ${fault}`) };
  }
  const { settings, map } = parsed;
  return { kind: 'loaded', pipelines: [{ file, path, settings, map }] };
}

function repeatedPipelines(pipelines: readonly LoadedPipeline[]): readonly string[] {
  return pipelines.flatMap((pipeline, index) => {
    if (isFirstOfItsName(pipeline, index, pipelines)) return [];
    const { name } = pipeline.settings;
    const first = pipelines.find(({ settings }) => settings.name === name);
    return [`${pipeline.file}: name: '${name}' is already the name of ${first?.file ?? 'another'}`];
  });
}

function isFirstOfItsName(
  { settings: { name } }: LoadedPipeline,
  index: number,
  all: readonly LoadedPipeline[],
): boolean {
  return all.findIndex(({ settings }) => settings.name === name) === index;
}

/** The part of an import's error that a person needs: what, and on which line. */
function firstLine(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const what =
    error.message
      .trim()
      .split('\n')
      .find((line) => line.trim() !== '') ?? error.name;
  const line = /\.ts:(\d+)/.exec(error.stack ?? '')?.[1];
  return line === undefined || error.name !== 'SyntaxError' ? what : `line ${line}: ${what.trim()}`;
}
