/** Reads an expression of metric math. */
import type { Expression, Operator } from './expression.ts';

/** How many inputs a function takes. */
const FUNCTIONS: Readonly<Record<string, { readonly least: number; readonly most: number }>> = {
  IF: { least: 2, most: 3 },
  FILL: { least: 2, most: 2 },
};

/** Loosest first; those of one line are computed from the left. */
const PRECEDENCE: readonly (readonly Operator[])[] = [
  ['||'],
  ['&&'],
  ['==', '!='],
  ['<', '<=', '>', '>='],
  ['+', '-'],
  ['*', '/'],
];
const WORDS: Readonly<Record<string, Operator>> = { AND: '&&', OR: '||' };
const TOKEN = /\s*(?:(\d+(?:\.\d+)?)|(\w+)|(<=|>=|==|!=|&&|\|\||[-+*/<>(),]))\s*/y;

/** @throws {Error} saying from where the expression is more than can be computed here. */
export function parseExpression(text: string): Expression {
  const cursor: Cursor = { text, tokens: tokensOf(text), at: 0 };
  const whole = readBinary(cursor, 0);
  return cursor.at < cursor.tokens.length ? refuse(cursor) : whole;
}

interface Cursor {
  readonly text: string;
  readonly tokens: readonly string[];
  at: number;
}

const tokenAt = ({ tokens, at }: Cursor): string => tokens[at] ?? '';

function refuse(cursor: Cursor): never {
  const rest = cursor.tokens.slice(cursor.at).join(' ');
  const from = rest === '' ? 'its end' : rest;
  throw new Error(`the expression ${cursor.text} cannot be computed here from: ${from}`);
}

/** Passes over the token, if it stands here. */
function passes(cursor: Cursor, token: string): boolean {
  if (tokenAt(cursor) !== token) return false;
  cursor.at++;
  return true;
}

function readBinary(cursor: Cursor, level: number): Expression {
  const operators = PRECEDENCE[level];
  if (operators === undefined) return readUnary(cursor);
  let left = readBinary(cursor, level + 1);
  for (;;) {
    const token = tokenAt(cursor);
    const operator = operators.find((known) => known === (WORDS[token] ?? token));
    if (operator === undefined) return left;
    cursor.at++;
    left = { kind: 'call', operator, inputs: [left, readBinary(cursor, level + 1)] };
  }
}

function readUnary(cursor: Cursor): Expression {
  if (passes(cursor, '-')) {
    return { kind: 'call', operator: 'negate', inputs: [readUnary(cursor)] };
  }
  if (passes(cursor, '(')) {
    const inside = readBinary(cursor, 0);
    return passes(cursor, ')') ? inside : refuse(cursor);
  }
  const token = tokenAt(cursor);
  if (token in FUNCTIONS) return readCall(cursor, token);
  if (!/^[a-z\d]/.test(token)) return refuse(cursor);
  cursor.at++;
  return /^\d/.test(token)
    ? { kind: 'number', value: Number(token) }
    : { kind: 'name', name: token };
}

function readCall(cursor: Cursor, name: string): Expression {
  const { least, most } = FUNCTIONS[name] ?? refuse(cursor);
  cursor.at++;
  if (!passes(cursor, '(')) return refuse(cursor);
  const inputs: Expression[] = [];
  do inputs.push(readBinary(cursor, 0));
  while (passes(cursor, ','));
  if (inputs.length < least || inputs.length > most || !passes(cursor, ')')) return refuse(cursor);
  return { kind: 'call', operator: name as Operator, inputs };
}

function tokensOf(text: string): readonly string[] {
  const tokens: string[] = [];
  let at = 0;
  while (at < text.length) {
    TOKEN.lastIndex = at;
    const token = TOKEN.exec(text)
      ?.slice(1)
      .find((group) => group !== undefined);
    if (token === undefined) {
      throw new Error(`the expression ${text} cannot be computed here from: ${text.slice(at)}`);
    }
    tokens.push(token);
    at = TOKEN.lastIndex;
  }
  return tokens;
}
