/** Transactions of the last ten minutes, by their token: a second time, nothing is done. */
import { createHash } from 'node:crypto';
import { ServiceError } from '#local/aws-json';
import type { Clock, Storage } from '#local/contracts';

export interface TransactionTokens {
  /** @throws {ServiceError} when the token came with another request. */
  wasDone(token: string, request: string): boolean;
  remember(token: string, request: string): void;
}

/** @source DynamoDB API 2012-08-10, TransactWriteItems, ClientRequestToken. */
const TOKEN_TTL_MS = 600_000;

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS dynamodb_token (
    token TEXT PRIMARY KEY, request TEXT NOT NULL, at_ms INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;`;

export function openTransactionTokens(storage: Storage, clock: Clock): TransactionTokens {
  storage.exec(SCHEMA);
  const find = storage.prepare('SELECT request FROM dynamodb_token WHERE token = ? AND at_ms > ?');
  const forget = storage.prepare('DELETE FROM dynamodb_token WHERE at_ms <= ?');
  const add = storage.prepare('INSERT OR REPLACE INTO dynamodb_token VALUES (?, ?, ?)');
  const digest = (request: string): string => createHash('sha256').update(request).digest('hex');
  return {
    wasDone(token, request) {
      const seen = find.get(token, clock.nowMs() - TOKEN_TTL_MS);
      if (seen === undefined) return false;
      if (seen['request'] === digest(request)) return true;
      throw new ServiceError(
        'IdempotentParameterMismatchException',
        'DynamoDB rejected the request because you retried a request with a different payload but with an ' +
          'idempotent token that was already used.',
      );
    },
    remember(token, request) {
      const nowMs = clock.nowMs();
      forget.run(nowMs - TOKEN_TTL_MS);
      add.run(token, digest(request), nowMs);
    },
  };
}
