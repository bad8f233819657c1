/** Cuts an expression into tokens, and walks along them. */
import type { ServiceError } from '#local/aws-json';
import { invalid } from '#local/emulators/dynamodb/refusal';

export interface Token {
  readonly kind: 'word' | 'alias' | 'value' | 'number' | 'sign' | 'end';
  readonly text: string;
  readonly at: number;
}

export interface TokenWalk {
  peek(): Token;
  next(): Token;
  /** Takes the next token if it is this sign or keyword, in any case of letters. */
  take(text: string): boolean;
  expect(text: string): void;
  /** `Invalid <label>: Syntax error; …` at the token. */
  syntaxError(token: Token): ServiceError;
  refuse(why: string): ServiceError;
}

const TOKEN =
  /\s*(?:([A-Za-z][A-Za-z0-9_]*)|(#[A-Za-z0-9_]+)|(:[A-Za-z0-9_]+)|(\d+)|(<>|<=|>=|[=<>(),.[\]+-]))/y;
const KINDS = ['word', 'alias', 'value', 'number', 'sign'] as const;

/** @throws {ServiceError} at a character that begins no token. */
export function walkTokens(label: string, text: string): TokenWalk {
  const tokens = tokenize(label, text);
  let at = 0;
  const peek = (): Token => tokens[at] ?? END;
  const walk: TokenWalk = {
    peek,
    next() {
      const token = peek();
      at += 1;
      return token;
    },
    take(wanted) {
      const { kind, text: found } = peek();
      const same =
        kind === 'sign' ? found === wanted : kind === 'word' && found.toUpperCase() === wanted;
      if (same) at += 1;
      return same;
    },
    expect(wanted) {
      if (!walk.take(wanted)) throw walk.syntaxError(peek());
    },
    syntaxError: (token) => syntaxError(label, text, token),
    refuse: (why) => invalid(`Invalid ${label}: ${why}`),
  };
  return walk;
}

const END: Token = { kind: 'end', text: '<EOF>', at: Number.MAX_SAFE_INTEGER };

function tokenize(label: string, text: string): readonly Token[] {
  const tokens: Token[] = [];
  TOKEN.lastIndex = 0;
  for (;;) {
    const start = TOKEN.lastIndex;
    const match = TOKEN.exec(text);
    if (match === null) {
      const rest = text.slice(start).trimStart();
      if (rest === '') return tokens;
      const token: Token = { kind: 'sign', text: rest.slice(0, 1), at: text.length - rest.length };
      throw syntaxError(label, text, token);
    }
    const group = match.findIndex((part, index) => index > 0 && part !== undefined);
    const kind = KINDS[group - 1];
    const found = match[group];
    if (kind === undefined || found === undefined) throw new Error('a token has a kind');
    tokens.push({ kind, text: found, at: TOKEN.lastIndex - found.length });
  }
}

function syntaxError(label: string, text: string, { text: token, at }: Token): ServiceError {
  const near = text.slice(Math.max(0, at - 10), at + token.length + 10).trim();
  return invalid(`Invalid ${label}: Syntax error; token: "${token}", near: "${near}"`);
}
