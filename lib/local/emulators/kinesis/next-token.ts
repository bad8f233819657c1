/** Tokens of the next page: opaque to clients, good for five minutes. */
import { ServiceError } from '#local/aws-json';
import { refused } from './refused.ts';
import type { KinesisState } from './state.ts';

export function encodeToken(state: KinesisState, content: unknown): string {
  return Buffer.from(JSON.stringify([state.clock.nowMs(), content])).toString('base64');
}

/** @throws {ServiceError} when it is no token of ours, or has expired. */
export function decodeToken(state: KinesisState, token: string): unknown {
  const parts = parse(token);
  if (state.clock.nowMs() - Number(parts[0]) > state.limits.tokenTtlMs) {
    throw new ServiceError('ExpiredNextTokenException', 'NextToken has expired.');
  }
  return parts[1];
}

function parse(token: string): readonly unknown[] {
  try {
    const parts: unknown = JSON.parse(Buffer.from(token, 'base64').toString());
    if (Array.isArray(parts) && parts.length === 2) return parts;
  } catch {
    // Refused below.
  }
  throw refused('NextToken is invalid.');
}
