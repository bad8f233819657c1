/** The expressions of one request, with the names and values that they share. */
import type { JsonInput } from '#local/aws-json';
import { invalid } from '#local/emulators/dynamodb/refusal';
import { checkConditionForm, checkPathForm, checkUpdateForm } from './check-form.ts';
import { checkCondition, checkUpdate } from './check-operands.ts';
import type { Bindings } from './check-operands.ts';
import { parseCondition } from './parse-condition.ts';
import { parseProjection } from './parse-path.ts';
import { parseUpdate } from './parse-update.ts';
import { readNames, readValues } from './placeholders.ts';
import { refuseOverlap, resolvePath } from './paths.ts';
import type { ResolvedPath } from './paths.ts';
import type { Condition, Update } from './syntax.ts';
import { walkTokens } from './tokens.ts';
import type { TokenWalk } from './tokens.ts';

export interface Scope extends Bindings {
  condition(parameter: string): Condition | undefined;
  update(): Update | undefined;
  projection(): readonly ResolvedPath[] | undefined;
  /** Called when all expressions are read. @throws {ServiceError} for a name or value not used. */
  close(): void;
}

const EXPRESSION_BYTES_MAX = 4_096;
const CACHED_MAX = 500;
const cache = new Map<string, unknown>();

/** `parameters` are the expressions that the operation takes, as its refusals name them. */
export function openScope(input: JsonInput, parameters: readonly string[]): Scope {
  refuseWithout(input, parameters);
  const names = readNames(input);
  const values = readValues(input);
  const used = new Set<string>();
  let label = '';

  const refuse = (why: string) => invalid(`Invalid ${label}: ${why}`);
  const read = <T>(
    parameter: string,
    parse: (walk: TokenWalk) => T,
    check: (tree: T) => void,
  ): T | undefined => {
    const text = input[parameter];
    if (text === undefined || text === null) return undefined;
    label = parameter;
    const tree = parseCached(parameter, String(text), parse);
    check(tree);
    return tree;
  };

  const scope: Scope = {
    condition: (parameter) =>
      read(parameter, parseFormedCondition, (tree) =>
        checkCondition(tree, { bindings: scope, refuse }),
      ),
    update: () =>
      read('UpdateExpression', parseFormedUpdate, (tree) =>
        checkUpdate(tree, { bindings: scope, refuse }),
      ),
    projection() {
      let paths: readonly ResolvedPath[] | undefined;
      read('ProjectionExpression', parseFormedProjection, (tree) => {
        paths = tree.map((path) => resolvePath(path, scope));
        refuseOverlap(paths, refuse);
      });
      return paths;
    },
    value(name) {
      used.add(name);
      const value = values?.[name];
      if (value !== undefined) return value;
      throw refuse(
        `An expression attribute value used in expression is not defined; attribute value: ${name}`,
      );
    },
    nameOf(alias) {
      used.add(alias);
      const name = names?.[alias];
      if (name !== undefined) return name;
      throw refuse(
        `An expression attribute name used in the document path is not defined; attribute name: ${alias}`,
      );
    },
    close() {
      refuseUnused('ExpressionAttributeNames', names, used);
      refuseUnused('ExpressionAttributeValues', values, used);
    },
  };
  return scope;
}

function parseFormedCondition(walk: TokenWalk): Condition {
  const condition = parseCondition(walk);
  checkConditionForm(condition, walk.refuse);
  return condition;
}

function parseFormedUpdate(walk: TokenWalk): Update {
  const update = parseUpdate(walk);
  checkUpdateForm(update, walk.refuse);
  return update;
}

function parseFormedProjection(walk: TokenWalk): ReturnType<typeof parseProjection> {
  const paths = parseProjection(walk);
  for (const path of paths) checkPathForm(path, walk.refuse);
  return paths;
}

function parseCached<T>(parameter: string, text: string, parse: (walk: TokenWalk) => T): T {
  const key = `${parameter} ${text}`;
  const cached = cache.get(key);
  // The key begins with the parameter, and a parameter has one grammar.
  if (cached !== undefined) return cached as T;
  if (text === '') throw invalid(`Invalid ${parameter}: The expression can not be empty;`);
  const bytes = Buffer.byteLength(text);
  if (bytes > EXPRESSION_BYTES_MAX) {
    throw invalid(
      `Invalid ${parameter}: Expression size has exceeded the maximum allowed size; expression size: ${bytes}`,
    );
  }
  const walk = walkTokens(parameter, text);
  const tree = parse(walk);
  walk.checkCount();
  const [oldest] = cache.keys();
  if (cache.size >= CACHED_MAX && oldest !== undefined) cache.delete(oldest);
  cache.set(key, tree);
  return tree;
}

function refuseWithout(input: JsonInput, parameters: readonly string[]): void {
  const given = (name: string): boolean => input[name] !== undefined && input[name] !== null;
  if (given('ExpressionAttributeNames') && !parameters.some(given)) {
    throw invalid('ExpressionAttributeNames can only be specified when using expressions');
  }
  const withValues = parameters.filter((name) => name !== 'ProjectionExpression');
  if (!given('ExpressionAttributeValues') || withValues.some(given)) return;
  throw invalid(
    `ExpressionAttributeValues can only be specified when using expressions: ${withValues.join(' and ')} ` +
      `${withValues.length > 1 ? 'are' : 'is'} null`,
  );
}

function refuseUnused(
  parameter: string,
  given: Readonly<Record<string, unknown>> | undefined,
  used: ReadonlySet<string>,
): void {
  if (given === undefined) return;
  const unused = Object.keys(given).filter((key) => !used.has(key));
  if (unused.length === 0) return;
  throw invalid(
    `Value provided in ${parameter} unused in expressions: keys: {${unused.join(', ')}}`,
  );
}
