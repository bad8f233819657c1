/** TransactWriteItems: all of up to a hundred writes, or none. */
import { ServiceError } from '#local/aws-json';
import type { JsonInput } from '#local/aws-json';
import { inTransaction } from '#local/storage';
import { refuseTwice } from './batches.ts';
import { invalid, oneOf, onlyKnown } from './refusal.ts';
import type { DynamoState } from './state.ts';
import { withFaults } from './state.ts';
import { applyWrite, checkWrite, planDelete, planPut, planUpdate } from './write-item.ts';
import type { Write } from './write-item.ts';

/** @source DynamoDB API 2012-08-10, TransactWriteItems. */
const ACTIONS_MAX = 100;
const TOKEN_TTL_MS = 600_000;

interface Action {
  readonly write: Write;
  readonly changes: boolean;
  readonly onFailure: 'NONE' | 'ALL_OLD';
}

/** Tokens seen of late, each with its request. */
export type TransactionTokens = Map<string, { readonly request: string; readonly atMs: number }>;

export const transactWriteItems =
  (tokens: TransactionTokens) =>
  (state: DynamoState, input: JsonInput): object => {
    onlyKnown(input, ['TransactItems', 'ClientRequestToken', 'ReturnConsumedCapacity']);
    const items = (input['TransactItems'] ?? []) as readonly JsonInput[];
    if (items.length === 0 || items.length > ACTIONS_MAX) {
      throw invalid(
        `1 validation error detected: Value at 'transactItems' failed to satisfy constraint: Member must have length between 1 and ${ACTIONS_MAX}`,
      );
    }
    if (wasDone(tokens, state, input, items)) return {};
    const actions = items.map((item) => planAction(state, item));
    refuseTwice(
      actions.map(({ write }) => write),
      'Transaction request cannot include multiple operations on one item',
    );
    const [first] = actions;
    if (first === undefined) return {};
    return withFaults(state, first.write.table, 'TransactWriteItems', () => {
      inTransaction(state.storage, () => perform(state, actions));
      remember(tokens, state, input, items);
      return {};
    });
  };

function planAction(state: DynamoState, item: JsonInput): Action {
  onlyKnown(item, ['Put', 'Update', 'Delete', 'ConditionCheck']);
  const [[kind, raw] = [], ...others] = Object.entries(item);
  if (kind === undefined || others.length > 0) {
    throw invalid('TransactItems can only contain one of Check, Put, Update or Delete');
  }
  const input = raw as JsonInput;
  const plan = kind === 'Put' ? planPut : kind === 'Update' ? planUpdate : planDelete;
  return {
    write: plan(state, input),
    changes: kind !== 'ConditionCheck',
    onFailure: oneOf(input, 'ReturnValuesOnConditionCheckFailure', ['NONE', 'ALL_OLD'] as const),
  };
}

function perform(state: DynamoState, actions: readonly Action[]): void {
  const olds = actions.map(({ write }) => state.items.get(write.table, write.key));
  const reasons = actions.map(({ write, onFailure }, index) => {
    try {
      checkWrite(write, olds[index], onFailure);
      return { Code: 'None' };
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      return { Code: 'ConditionalCheckFailed', Message: error.message, ...error.members };
    }
  });
  if (reasons.some(({ Code }) => Code !== 'None')) {
    const codes = reasons.map(({ Code }) => Code).join(', ');
    throw new ServiceError(
      'TransactionCanceledException',
      `Transaction cancelled, please refer cancellation reasons for specific reasons [${codes}]`,
      { members: { CancellationReasons: reasons } },
    );
  }
  for (const [index, { write, changes }] of actions.entries()) {
    if (changes) applyWrite(state, write, olds[index]);
  }
}

function wasDone(
  tokens: TransactionTokens,
  state: DynamoState,
  { ClientRequestToken: token }: JsonInput,
  items: readonly JsonInput[],
): boolean {
  const seen = tokens.get(String(token));
  if (token === undefined || seen === undefined) return false;
  if (state.clock.nowMs() - seen.atMs > TOKEN_TTL_MS) return false;
  if (seen.request === JSON.stringify(items)) return true;
  throw new ServiceError(
    'IdempotentParameterMismatchException',
    'The request uses the same client token as a previous, but non-identical request.',
  );
}

function remember(
  tokens: TransactionTokens,
  state: DynamoState,
  { ClientRequestToken: token }: JsonInput,
  items: readonly JsonInput[],
): void {
  const atMs = state.clock.nowMs();
  for (const [old, seen] of tokens) if (atMs - seen.atMs > TOKEN_TTL_MS) tokens.delete(old);
  if (token !== undefined) tokens.set(String(token), { request: JSON.stringify(items), atMs });
}
