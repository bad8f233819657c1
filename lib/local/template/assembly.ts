/** Reads cdk.out as CloudFormation would be given it: stacks in order, with their assets. */
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { TemplateError } from './template-error.ts';

export interface TemplateResource {
  readonly Type: string;
  readonly Properties?: Readonly<Record<string, unknown>>;
  readonly DependsOn?: string | readonly string[];
  readonly Condition?: string;
}

export interface TemplateParameter {
  readonly Type: string;
  readonly Default?: string | number;
  readonly AllowedValues?: readonly (string | number)[];
  readonly AllowedPattern?: string;
}

export interface Template {
  readonly Parameters?: Readonly<Record<string, TemplateParameter>>;
  readonly Conditions?: Readonly<Record<string, unknown>>;
  readonly Mappings?: Readonly<Record<string, Record<string, Record<string, unknown>>>>;
  readonly Resources?: Readonly<Record<string, TemplateResource>>;
}

export interface AssemblyStack {
  readonly name: string;
  readonly template: Template;
  /** Object key in the assets bucket → absolute path of the asset on this machine. */
  readonly assetPaths: ReadonlyMap<string, string>;
}

interface Artifact {
  readonly type: string;
  readonly dependencies?: readonly string[];
  readonly properties?: {
    readonly templateFile?: string;
    readonly stackName?: string;
    readonly file?: string;
  };
}

interface AssetFile {
  readonly source?: { readonly path?: string };
  readonly destinations?: Readonly<Record<string, { readonly objectKey?: string }>>;
}

/**
 * Read the stacks of a cloud assembly, those depended upon first.
 *
 * @throws {TemplateError} when there is no assembly, or an asset it names is gone.
 * @source aws-cdk-lib 2.276.0, cloud assembly schema 55 (manifest.json, *.assets.json).
 */
export function readAssembly(cdkOut: string): readonly AssemblyStack[] {
  const folder = resolve(cdkOut);
  if (!existsSync(join(folder, 'manifest.json'))) {
    throw new TemplateError([
      `There is no synthesized app in ${folder}: run \`npx cdk synth\` first.`,
    ]);
  }
  const manifest = readJson(join(folder, 'manifest.json')) as {
    artifacts?: Record<string, Artifact>;
  };
  const artifacts = manifest.artifacts ?? {};
  const problems: string[] = [];
  const stacks = stacksInOrder(artifacts).map((id) => readStack(folder, artifacts, id, problems));
  for (const [id, artifact] of Object.entries(artifacts)) {
    if (artifact.type === 'cdk:cloud-assembly') {
      problems.push(`Stage ${id}: stages inside an app are not supported by the local cloud.`);
    }
  }
  if (problems.length > 0) throw new TemplateError(problems);
  return stacks;
}

function stacksInOrder(artifacts: Record<string, Artifact>): readonly string[] {
  const order: string[] = [];
  const visit = (id: string, path: readonly string[]): void => {
    if (order.includes(id) || path.includes(id)) return;
    for (const dependency of artifacts[id]?.dependencies ?? []) visit(dependency, [...path, id]);
    if (artifacts[id]?.type === 'aws:cloudformation:stack') order.push(id);
  };
  for (const id of Object.keys(artifacts)) visit(id, []);
  return order;
}

function readStack(
  folder: string,
  artifacts: Record<string, Artifact>,
  id: string,
  problems: string[],
): AssemblyStack {
  const artifact = artifacts[id];
  const templateFile = join(folder, artifact?.properties?.templateFile ?? `${id}.template.json`);
  const assetPaths = new Map<string, string>();
  for (const dependency of artifact?.dependencies ?? []) {
    const assets = artifacts[dependency];
    if (assets?.type !== 'cdk:asset-manifest' || assets.properties?.file === undefined) continue;
    readAssets(folder, assets.properties.file, assetPaths, problems);
  }
  const name = artifact?.properties?.stackName ?? id;
  if (!existsSync(templateFile)) {
    problems.push(
      `Stack ${name}: its template ${templateFile} is gone: run \`npx cdk synth\` again.`,
    );
    return { name, template: {}, assetPaths };
  }
  return { name, template: readJson(templateFile) as Template, assetPaths };
}

function readAssets(
  folder: string,
  file: string,
  into: Map<string, string>,
  problems: string[],
): void {
  const manifest = readJson(join(folder, file)) as { files?: Record<string, AssetFile> };
  for (const asset of Object.values(manifest.files ?? {})) {
    if (asset.source?.path === undefined) continue;
    const path = resolve(folder, asset.source.path);
    if (!existsSync(path)) {
      problems.push(`Asset ${path} is gone: run \`npx cdk synth\` again.`);
    }
    for (const { objectKey } of Object.values(asset.destinations ?? {})) {
      if (objectKey !== undefined) into.set(objectKey, path);
    }
  }
}

function readJson(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch (cause) {
    throw new TemplateError([
      `${path} cannot be read as JSON (${String(cause)}): run \`npx cdk synth\` again.`,
    ]);
  }
}
