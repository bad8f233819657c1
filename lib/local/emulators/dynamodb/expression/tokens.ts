/** Cuts an expression into tokens, and walks along them. */
import type { ServiceError } from '#local/aws-json';
import { invalid } from '#local/emulators/dynamodb/refusal';

export interface Token {
  readonly kind: 'word' | 'alias' | 'value' | 'number' | 'sign' | 'bad' | 'end';
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

export interface TokenWalk {
  peek(ahead?: number): Token;
  next(): Token;
  /** Takes the next token if it is this sign or keyword, in any case of letters. */
  take(text: string): boolean;
  expect(text: string): void;
  /** Counts an operator or a function. */
  countOperator(): void;
  /** @throws {ServiceError} when there were too many operators. */
  checkCount(): void;
  /** `Invalid <label>: Syntax error; …` at the next token. */
  syntaxError(): ServiceError;
  refuse(why: string): ServiceError;
}

/** @source DynamoDB developer guide, quotas, expression parameters. */
const OPERATORS_MAX = 300;

const TOKEN =
  /[ \t\r\n]*(?:([A-Za-z][A-Za-z0-9_]*)|(#[A-Za-z0-9_]+)|(:[A-Za-z0-9_]+)|(0|[1-9]\d*)|(<>|<=|>=|[=<>(),.[\]+-])|([^ \t\r\n]))/y;
const KINDS = ['word', 'alias', 'value', 'number', 'sign', 'bad'] as const;

export function walkTokens(label: string, text: string): TokenWalk {
  const tokens = tokenize(text);
  const end: Token = { kind: 'end', text: '<EOF>', start: text.length, end: text.length };
  let at = 0;
  let operators = 0;
  const peek = (ahead = 0): Token => tokens[at + ahead] ?? end;
  const refuse = (why: string): ServiceError => invalid(`Invalid ${label}: ${why}`);
  const walk: TokenWalk = {
    peek,
    next() {
      const token = peek();
      at += 1;
      return token;
    },
    take(wanted) {
      const same = isToken(peek(), wanted);
      if (same) at += 1;
      return same;
    },
    expect(wanted) {
      if (!walk.take(wanted)) throw walk.syntaxError();
    },
    countOperator() {
      operators += 1;
    },
    checkCount() {
      if (operators <= OPERATORS_MAX) return;
      // The service stops counting at the first that is too many.
      throw refuse(
        `The expression contains too many operators; operator count: ${OPERATORS_MAX + 1}`,
      );
    },
    syntaxError() {
      const token = peek();
      // What is quoted goes from the token before to the token behind.
      const from = tokens[at - 1]?.start ?? 0;
      const near = text.slice(from, (tokens[at + 1] ?? token).end);
      return refuse(`Syntax error; token: "${token.text}", near: "${near}"`);
    },
    refuse,
  };
  return walk;
}

export function isToken({ kind, text }: Token, wanted: string): boolean {
  return kind === 'sign' ? text === wanted : kind === 'word' && text.toUpperCase() === wanted;
}

function tokenize(text: string): readonly Token[] {
  const tokens: Token[] = [];
  TOKEN.lastIndex = 0;
  for (;;) {
    const match = TOKEN.exec(text);
    if (match === null) return tokens;
    const group = match.findIndex((part, index) => index > 0 && part !== undefined);
    const kind = KINDS[group - 1];
    const found = match[group];
    if (kind === undefined || found === undefined) throw new Error('a token has a kind');
    const end = TOKEN.lastIndex;
    tokens.push({ kind, text: found, start: end - found.length, end });
  }
}
