/** The stacks that a cloud is to run: of a synthesized app, or of one template. */
import { readAssembly } from './assembly.ts';
import type { AssemblyStack, Template } from './assembly.ts';
import { TemplateError } from './template-error.ts';

const STACK_NAME = 'stack';

/** @throws {TemplateError} when neither is given, or both are, or what is given cannot be read. */
export function stacksOf({
  cdkOut,
  template,
}: {
  readonly cdkOut?: string | { readonly directory: string } | undefined;
  readonly template?: object | undefined;
}): readonly AssemblyStack[] {
  if ((cdkOut === undefined) === (template === undefined)) {
    throw new TemplateError([
      'A cloud is of one app: give cdkOut, the folder that `cdk synth` wrote, or template.',
    ]);
  }
  if (template !== undefined) {
    return [{ name: STACK_NAME, template: template as Template, assetPaths: new Map() }];
  }
  return readAssembly(typeof cdkOut === 'object' ? cdkOut.directory : (cdkOut ?? ''));
}
