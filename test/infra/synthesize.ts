/** Synthesizes pipelines into templates, with handlers too small to slow a test down. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { handlerPath } from '#config/handler-file';
import type { PipelineInput } from '#config/pipeline-input';
import { addStacks } from '#infra/add-stacks';
import type { AppSettings } from '#infra/add-stacks';
import { settingsOf } from '#test/config/pipeline-input';

export interface Synthesized {
  template(stack: string): Template;
  readonly stacks: readonly string[];
  readonly outdir: string;
}

const made: string[] = [];

/** A folder that `removeTemporary` removes. */
export function temporary(): string {
  const directory = mkdtempSync(join(tmpdir(), 'penstock-infra-'));
  made.push(directory);
  return directory;
}

export function removeTemporary(): void {
  for (const directory of made.splice(0)) rmSync(directory, { recursive: true, force: true });
}

/** Handlers that answer with what they were made of. */
export function tinyHandlers(directory: string): string {
  for (const [verb, maker] of [
    ['poll', 'pollHandler'],
    ['consume', 'consumeHandler'],
    ['handle', 'handleHandler'],
    ['recover', 'recoverHandler'],
  ] as const) {
    mkdirSync(join(directory, verb), { recursive: true });
    writeFileSync(
      join(directory, verb, 'handler.ts'),
      `export const ${maker} = (settings: unknown, second: unknown, third: unknown) => () => ({ settings, second, third });\n`,
    );
  }
  return directory;
}

type Over = Partial<AppSettings> & { readonly context?: Record<string, unknown> };

/** An app with every stack, not yet synthesized. */
export async function compose(inputs: readonly PipelineInput[], over: Over = {}): Promise<App> {
  const directory = temporary();
  const app = new App({
    outdir: join(directory, 'cdk.out'),
    ...(over.context ? { context: over.context } : {}),
  });
  const pipelines = inputs.map((input) => {
    const file = `${input.name}.ts`;
    const path = join(directory, file);
    writeFileSync(path, `export default { map: (record: object) => record };\n`);
    for (const consumer of input.consumers) {
      if (consumer.kind !== 'handler') continue;
      writeFileSync(handlerPath(path, consumer), `export default '${consumer.name}';\n`);
    }
    return { file, path, settings: settingsOf(input), map: undefined };
  });
  await addStacks(app, {
    stage: 'test',
    pipelines,
    environment: {},
    reserveConcurrency: true,
    throwAway: false,
    functionsDirectory: tinyHandlers(join(directory, 'functions')),
    ...over,
  });
  return app;
}

export async function synthesize(
  inputs: readonly PipelineInput[],
  over: Over = {},
): Promise<Synthesized> {
  const app = await compose(inputs, over);
  const assembly = app.synth();
  return {
    template: (stack) => Template.fromJSON(assembly.getStackByName(stack).template),
    stacks: assembly.stacks.map(({ stackName }) => stackName),
    outdir: app.outdir,
  };
}

/** Properties of the one resource of a type, or of the one with `Name`-like text in it. */
export function only(template: Template, type: string): Record<string, unknown> {
  const found = Object.values(template.findResources(type));
  if (found.length !== 1) throw new Error(`${found.length} resources are ${type}`);
  return (found[0] as { Properties: Record<string, unknown> }).Properties;
}
