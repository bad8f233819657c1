/** Writes a small cdk.out by hand, shaped as aws-cdk-lib writes it. */
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Template } from '#local/template/assembly';

export interface StackFixture {
  readonly name: string;
  readonly template: Template;
  readonly dependsOn?: readonly string[];
  /** Asset hash → the text of its index.mjs. */
  readonly code?: Readonly<Record<string, string>>;
}

/** @returns the folder's path. */
export function writeAssembly(stacks: readonly StackFixture[], folder?: string): string {
  const cdkOut = folder ?? mkdtempSync(join(tmpdir(), 'cdk-out-'));
  const artifacts: Record<string, unknown> = {};
  for (const { name, template, dependsOn = [], code = {} } of stacks) {
    artifacts[`${name}.assets`] = {
      type: 'cdk:asset-manifest',
      properties: { file: `${name}.assets.json` },
    };
    artifacts[name] = {
      type: 'aws:cloudformation:stack',
      environment: 'aws://unknown-account/unknown-region',
      properties: { templateFile: `${name}.template.json` },
      dependencies: [...dependsOn, `${name}.assets`],
    };
    for (const [hash, text] of Object.entries(code)) {
      mkdirSync(join(cdkOut, `asset.${hash}`), { recursive: true });
      writeFileSync(join(cdkOut, `asset.${hash}`, 'index.mjs'), text);
    }
    write(cdkOut, `${name}.template.json`, template);
    write(cdkOut, `${name}.assets.json`, { files: assetFiles(Object.keys(code)) });
  }
  write(cdkOut, 'manifest.json', { version: '55.0.0', artifacts });
  return cdkOut;
}

function assetFiles(hashes: readonly string[]): object {
  return Object.fromEntries(
    hashes.map((hash) => [
      hash,
      {
        source: { path: `asset.${hash}`, packaging: 'zip' },
        destinations: { here: { bucketName: 'assets', objectKey: `${hash}.zip` } },
      },
    ]),
  );
}

function write(folder: string, name: string, value: unknown): void {
  writeFileSync(join(folder, name), JSON.stringify(value));
}
