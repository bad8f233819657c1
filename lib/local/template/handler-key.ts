/** Which of the given handlers a function of a template has. */
import type { PlannedResource } from './plan-resources.ts';
import { TemplateError } from './template-error.ts';

type Named = Pick<PlannedResource, 'name' | 'logicalId'>;

/** CDK ends a logical id with a hash of the construct's path. */
const HASH = /[0-9A-F]{8}$/;

/** By its name, its logical id, or that without CDK's hash: the id of the construct. */
export function handlerKey(keys: readonly string[], fn: Named): string | undefined {
  const { name, logicalId } = fn;
  return [name, logicalId, logicalId.replace(HASH, '')].find((one) => keys.includes(one));
}

/**
 * The handlers, by their functions' names.
 *
 * @throws {TemplateError} for a handler of no function.
 */
export function handlersByName<T>(
  handlers: Readonly<Record<string, T>>,
  planned: readonly PlannedResource[],
): Readonly<Record<string, T>> {
  const keys = Object.keys(handlers);
  const functions = planned.filter(({ type }) => type === 'AWS::Lambda::Function');
  const pairs = functions.flatMap((fn) => {
    const key = handlerKey(keys, fn);
    const handler = key === undefined ? undefined : handlers[key];
    return key === undefined || handler === undefined ? [] : [{ key, name: fn.name, handler }];
  });
  const unused = keys.filter((key) => !pairs.some((pair) => pair.key === key));
  if (unused.length > 0) {
    const names = functions.map(({ name }) => name).join(', ') || 'none';
    throw new TemplateError(
      unused.map((key) => `handlers['${key}'] is of no function: the templates have ${names}.`),
    );
  }
  return Object.fromEntries(pairs.map(({ name, handler }) => [name, handler]));
}
