/** Evaluates CloudFormation's intrinsic functions. */

/** What names mean where a value stands; `undefined` where nothing has that name. */
export interface Scope {
  /** A parameter, a pseudo parameter or a resource. */
  ref(name: string): unknown;
  attribute(resource: string, name: string): unknown;
  /** A named condition's expression. */
  condition(name: string): unknown;
  mapped(map: string, top: string, second: string): unknown;
}

/** A value that cannot be known; its message continues a sentence that names the place. */
export class IntrinsicError extends Error {}

/** Stands where `AWS::NoValue` stood: the property or list entry that holds it is left out. */
export const NO_VALUE: unique symbol = Symbol('AWS::NoValue');

type Evaluate = (argument: unknown, scope: Scope) => unknown;

/**
 * Replace every intrinsic function in a template's value by what it gives.
 *
 * @returns NO_VALUE when the whole value is left out.
 * @throws {IntrinsicError} when a name is unknown or a function is not supported.
 * @source CloudFormation User Guide, Intrinsic function reference.
 */
export function evaluate(value: unknown, scope: Scope): unknown {
  if (Array.isArray(value)) {
    return value.map((entry) => evaluate(entry, scope)).filter((entry) => entry !== NO_VALUE);
  }
  if (!isObject(value)) return value;
  const [name, ...others] = Object.keys(value);
  if (name !== undefined && others.length === 0 && isIntrinsic(name, value[name])) {
    const apply = FUNCTIONS[name];
    if (apply === undefined) throw new IntrinsicError(`${name} is not supported`);
    return apply(value[name], scope);
  }
  const known = Object.entries(value).map(([member, inner]) => [member, evaluate(inner, scope)]);
  return Object.fromEntries(known.filter(([, inner]) => inner !== NO_VALUE));
}

/**
 * Decide a condition expression (`Fn::Equals`, `Fn::And`, …, or `{Condition: name}`).
 *
 * @throws {IntrinsicError} when it is not a condition.
 */
export function evaluateCondition(expression: unknown, scope: Scope): boolean {
  const value =
    isObject(expression) && typeof expression['Condition'] === 'string'
      ? evaluateCondition(knownCondition(expression['Condition'], scope), scope)
      : evaluate(expression, scope);
  if (typeof value === 'boolean') return value;
  if (value === 'true' || value === 'false') return value === 'true';
  throw new IntrinsicError(`${JSON.stringify(expression)} is not a condition`);
}

const FUNCTIONS: Readonly<Record<string, Evaluate>> = {
  Ref: (name, scope) => {
    if (name === 'AWS::NoValue') return NO_VALUE;
    return found(scope.ref(String(name)), `Ref ${String(name)} names nothing in the stack`);
  },
  'Fn::GetAtt': (argument, scope) => {
    const [resource = '', ...path] =
      typeof argument === 'string' ? argument.split('.') : texts(argument, scope, 'Fn::GetAtt');
    return attribute(scope, resource, path.join('.'));
  },
  'Fn::Join': (argument, scope) => {
    const [separator, parts] = list(argument, 'Fn::Join');
    return texts(evaluate(parts, scope), scope, 'Fn::Join').join(String(separator));
  },
  'Fn::Sub': substitute,
  'Fn::Select': (argument, scope) => {
    const [place, entries] = list(argument, 'Fn::Select').map((part) => evaluate(part, scope));
    const entry = list(entries, 'Fn::Select')[Number(place)];
    return found(entry, `Fn::Select finds no entry ${String(place)}`);
  },
  'Fn::Split': (argument, scope) => {
    const [separator, text] = list(argument, 'Fn::Split').map((part) => evaluate(part, scope));
    return String(text).split(String(separator));
  },
  'Fn::If': (argument, scope) => {
    const [name, whenTrue, whenFalse] = list(argument, 'Fn::If');
    const holds = evaluateCondition(knownCondition(String(name), scope), scope);
    return evaluate(holds ? whenTrue : whenFalse, scope);
  },
  'Fn::Equals': (argument, scope) => {
    const [left, right] = list(argument, 'Fn::Equals').map((part) => evaluate(part, scope));
    return String(left) === String(right);
  },
  'Fn::And': (argument, scope) =>
    list(argument, 'Fn::And').every((part) => evaluateCondition(part, scope)),
  'Fn::Or': (argument, scope) =>
    list(argument, 'Fn::Or').some((part) => evaluateCondition(part, scope)),
  'Fn::Not': (argument, scope) => !evaluateCondition(list(argument, 'Fn::Not')[0], scope),
  'Fn::FindInMap': (argument, scope) => {
    const [map = '', top = '', second = ''] = texts(argument, scope, 'Fn::FindInMap');
    return found(
      scope.mapped(map, top, second),
      `Fn::FindInMap finds no ${[map, top, second].join('.')}`,
    );
  },
  'Fn::Base64': (argument, scope) =>
    Buffer.from(String(evaluate(argument, scope))).toString('base64'),
};

function substitute(argument: unknown, scope: Scope): string {
  const [template, own] = typeof argument === 'string' ? [argument, {}] : list(argument, 'Fn::Sub');
  const names = evaluate(own ?? {}, scope) as Record<string, unknown>;
  return String(template).replaceAll(/\$\{(!?)([^}]+)\}/g, (_, literal: string, name: string) => {
    if (literal === '!') return `\${${name}}`;
    if (Object.hasOwn(names, name)) return String(names[name]);
    const [resource = '', ...path] = name.split('.');
    if (path.length > 0) return String(attribute(scope, resource, path.join('.')));
    return String(found(scope.ref(name), `Fn::Sub names ${name}, which is not in the stack`));
  });
}

function attribute(scope: Scope, resource: string, name: string): unknown {
  return found(scope.attribute(resource, name), `${resource} has no attribute ${name}`);
}

function knownCondition(name: string, scope: Scope): unknown {
  return found(scope.condition(name), `there is no condition ${name}`);
}

function found(value: unknown, otherwise: string): unknown {
  if (value === undefined) throw new IntrinsicError(otherwise);
  return value;
}

function list(value: unknown, name: string): readonly unknown[] {
  if (!Array.isArray(value)) throw new IntrinsicError(`${name} needs a list`);
  return value;
}

function texts(value: unknown, scope: Scope, name: string): readonly string[] {
  return list(value, name).map((part) => {
    const text = evaluate(part, scope);
    if (typeof text === 'object') throw new IntrinsicError(`${name} needs text`);
    return String(text);
  });
}

function isIntrinsic(name: string, argument: unknown): boolean {
  return name.startsWith('Fn::') || (name === 'Ref' && typeof argument === 'string');
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
