/** The expressions of one request, with the names and values that they share. */
import type { JsonInput } from '#local/aws-json';
import { typeOf } from '#local/emulators/dynamodb/attribute-value';
import type { AttributeMap } from '#local/emulators/dynamodb/attribute-value';
import { invalid } from '#local/emulators/dynamodb/refusal';
import { checkConditionForm, checkPathForm, checkUpdateForm } from './check-form.ts';
import { checkCondition, checkUpdate } from './check-operands.ts';
import type { Bindings } from './check-operands.ts';
import { parseCondition } from './parse-condition.ts';
import { parseProjection } from './parse-path.ts';
import { parseUpdate } from './parse-update.ts';
import { readNames, readValues } from './placeholders.ts';
import type { NameMap } from './placeholders.ts';
import { refuseOverlap, resolvePath } from './paths.ts';
import type { ResolvedPath } from './paths.ts';
import type { Condition, Path, Update } from './syntax.ts';
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
const REMEMBERED_MAX = 500;
const parsed = new Map<string, unknown>();

/** What was found to be in order: the names, and the types of the values, that came last with a wording. */
interface Approval {
  readonly names: NameMap | undefined;
  readonly types: Readonly<Record<string, string>>;
}
/** By the expressions' texts. */
const approvals = new Map<string, Approval>();
/** Where a refusal can depend on more of a value than its type. */
const DEPENDS_ON_VALUES = /between|attribute_type/i;

/** `parameters` are the expressions that the operation takes, as its refusals name them. */
export function openScope(input: JsonInput, parameters: readonly string[]): Scope {
  refuseWithout(input, parameters);
  let wording = '';
  for (const parameter of parameters) {
    const text = String(input[parameter] ?? '');
    wording += `${parameter} ${text.length} ${text} `;
  }
  const approval = approvals.get(wording);
  const givenNames = input['ExpressionAttributeNames'] ?? undefined;
  const hasSameNames = approval !== undefined && haveSameMembers(approval.names, givenNames);
  const names = hasSameNames ? approval.names : readNames(input);
  const values = readValues(input);
  const types = typesOf(values);
  const isApproved = hasSameNames && haveSameMembers(approval.types, types);
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
    const tree = parseOnce(parameter, String(text), parse);
    if (!isApproved) check(tree);
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
      const resolved = (tree: readonly Path[]) => tree.map((path) => resolvePath(path, scope));
      const tree = read('ProjectionExpression', parseFormedProjection, (paths) =>
        refuseOverlap(resolved(paths), refuse),
      );
      return tree === undefined ? undefined : resolved(tree);
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
      if (isApproved) return;
      refuseUnused('ExpressionAttributeNames', names, used);
      refuseUnused('ExpressionAttributeValues', values, used);
      if (!DEPENDS_ON_VALUES.test(wording)) remember(approvals, wording, { names, types });
    },
  };
  return scope;
}

function typesOf(values: AttributeMap | undefined): Approval['types'] {
  const types: Record<string, string> = {};
  for (const name in values) types[name] = typeOf(values[name]);
  return types;
}

/** The same texts under the same names. */
function haveSameMembers(known: NameMap | undefined, given: unknown): boolean {
  if (known === undefined || given === undefined) return known === given;
  const members = given as NameMap;
  let count = 0;
  for (const name in members) {
    if (known[name] !== members[name]) return false;
    count += 1;
  }
  return count === Object.keys(known).length;
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

function parseOnce<T>(parameter: string, text: string, parse: (walk: TokenWalk) => T): T {
  const key = `${parameter} ${text}`;
  const known = parsed.get(key);
  // The key begins with the parameter, and a parameter has one grammar.
  if (known !== undefined) return known as T;
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
  remember(parsed, key, tree);
  return tree;
}

/** Forgets what came first. */
function remember<T>(things: Map<string, T>, key: string, thing: T): void {
  const [oldest] = things.keys();
  if (things.size >= REMEMBERED_MAX && oldest !== undefined) things.delete(oldest);
  things.set(key, thing);
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
