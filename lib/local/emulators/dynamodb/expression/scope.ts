/** The expressions of one request, with the names and values that they share. */
import type { JsonInput } from '#local/aws-json';
import { parseMap } from '#local/emulators/dynamodb/attribute-value';
import type { AttributeMap, AttributeValue } from '#local/emulators/dynamodb/attribute-value';
import { invalid } from '#local/emulators/dynamodb/refusal';
import { checkCondition } from './check-condition.ts';
import { parseCondition } from './parse-condition.ts';
import { parseProjection } from './parse-path.ts';
import { parseUpdate } from './parse-update.ts';
import type { Condition, Path, UpdateAction } from './syntax.ts';
import { walkTokens } from './tokens.ts';
import type { TokenWalk } from './tokens.ts';

export interface Scope {
  condition(parameter: string): Condition | undefined;
  update(): readonly UpdateAction[] | undefined;
  projection(): readonly Path[] | undefined;
  /** The value of `:v`, which is known to be there. */
  value(name: string): AttributeValue;
  /** The name behind `#n`, which is known to be there. */
  nameOf(alias: string): string;
  /** Called when all expressions are read. @throws {ServiceError} for a name or value not used. */
  close(): void;
}

interface Parsed<T> {
  readonly tree: T;
  readonly aliases: readonly string[];
  readonly values: readonly string[];
}

const EXPRESSION_BYTES_MAX = 4_096;
const CACHED_MAX = 500;
const cache = new Map<string, Parsed<unknown>>();

export function openScope(input: JsonInput): Scope {
  const names = parseNames(input['ExpressionAttributeNames']);
  const values = parseValues(input['ExpressionAttributeValues']);
  const usedNames = new Set<string>();
  const usedValues = new Set<string>();
  let expressions = 0;

  const read = <T>(parameter: string, parse: (walk: TokenWalk) => T): T | undefined => {
    const text = input[parameter];
    if (text === undefined || text === null) return undefined;
    expressions += 1;
    const { tree, aliases, values: references } = parseCached(parameter, String(text), parse);
    for (const alias of aliases) {
      if (names === undefined || !Object.hasOwn(names, alias)) {
        throw invalid(
          `Invalid ${parameter}: An expression attribute name used in the document path is not defined; attribute name: ${alias}`,
        );
      }
      usedNames.add(alias);
    }
    for (const name of references) {
      if (values === undefined || values[name] === undefined) {
        throw invalid(
          `Invalid ${parameter}: An expression attribute value used in expression is not defined; attribute value: ${name}`,
        );
      }
      usedValues.add(name);
    }
    return tree;
  };

  const scope: Scope = {
    condition(parameter) {
      const condition = read(parameter, parseCondition);
      if (condition !== undefined) checkCondition(parameter, condition, scope);
      return condition;
    },
    update: () => read('UpdateExpression', parseUpdate),
    projection: () => read('ProjectionExpression', parseProjection),
    value(name) {
      const value = values?.[name];
      if (value === undefined) throw new Error(`${name} was checked to be there`);
      return value;
    },
    nameOf(alias) {
      const name = names?.[alias];
      if (name === undefined) throw new Error(`${alias} was checked to be there`);
      return name;
    },
    close() {
      refuseUnused('ExpressionAttributeNames', names, usedNames, expressions);
      refuseUnused('ExpressionAttributeValues', values, usedValues, expressions);
    },
  };
  return scope;
}

function parseCached<T>(parameter: string, text: string, parse: (walk: TokenWalk) => T): Parsed<T> {
  const key = `${parameter} ${text}`;
  const cached = cache.get(key);
  if (cached !== undefined) {
    cache.delete(key);
    cache.set(key, cached);
    // The key begins with the parameter, and a parameter has one grammar.
    return cached as Parsed<T>;
  }
  if (text.trim() === '') throw invalid(`Invalid ${parameter}: The expression can not be empty;`);
  if (Buffer.byteLength(text) > EXPRESSION_BYTES_MAX) {
    throw invalid(`Invalid ${parameter}: Expression size has exceeded the maximum allowed size;`);
  }
  const aliases = new Set<string>();
  const values = new Set<string>();
  const walk = walkTokens(parameter, text);
  const tree = parse({
    ...walk,
    next() {
      const token = walk.next();
      if (token.kind === 'alias') aliases.add(token.text);
      if (token.kind === 'value') values.add(token.text);
      return token;
    },
  });
  const parsed: Parsed<T> = { tree, aliases: [...aliases], values: [...values] };
  cache.set(key, parsed);
  const [oldest] = cache.keys();
  if (cache.size > CACHED_MAX && oldest !== undefined) cache.delete(oldest);
  return parsed;
}

function parseNames(raw: unknown): Readonly<Record<string, string>> | undefined {
  if (raw === undefined || raw === null) return undefined;
  const names: Record<string, string> = Object.create(null);
  for (const [alias, name] of Object.entries(raw)) {
    if (!/^#[A-Za-z0-9_]+$/.test(alias)) {
      throw invalid(`ExpressionAttributeNames contains invalid key: Syntax error; key: "${alias}"`);
    }
    if (typeof name !== 'string' || name === '') {
      throw invalid('ExpressionAttributeNames contains invalid value: Empty attribute name');
    }
    names[alias] = name;
  }
  if (Object.keys(names).length === 0) throw invalid('ExpressionAttributeNames must not be empty');
  return names;
}

function parseValues(raw: unknown): AttributeMap | undefined {
  if (raw === undefined || raw === null) return undefined;
  const values = parseMap(raw);
  const keys = Object.keys(values);
  if (keys.length === 0) throw invalid('ExpressionAttributeValues must not be empty');
  const wrong = keys.find((key) => !/^:[A-Za-z0-9_]+$/.test(key));
  if (wrong !== undefined) {
    throw invalid(`ExpressionAttributeValues contains invalid key: Syntax error; key: "${wrong}"`);
  }
  return values;
}

function refuseUnused(
  parameter: string,
  given: Readonly<Record<string, unknown>> | undefined,
  used: ReadonlySet<string>,
  expressions: number,
): void {
  if (given === undefined) return;
  if (expressions === 0) throw invalid(`${parameter} can only be specified when using expressions`);
  const unused = Object.keys(given).filter((key) => !used.has(key));
  if (unused.length === 0) return;
  throw invalid(
    `Value provided in ${parameter} unused in expressions: keys: {${unused.join(', ')}}`,
  );
}
