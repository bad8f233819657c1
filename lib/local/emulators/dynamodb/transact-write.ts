/** TransactWriteItems: all of up to a hundred writes, or none. */
import { HangUp, ServiceError } from '#local/aws-json';
import type { JsonInput } from '#local/aws-json';
import {
  consumedByTable,
  readUnits,
  spentByRead,
  spentByWrite,
  TRANSACTION_FACTOR,
} from './capacity.ts';
import type { Spent } from './capacity.ts';
import { collectionMetricsByTable } from './collection-metrics.ts';
import type { StoredItem } from './item-store.ts';
import { planDelete, planPut, planUpdate } from './plan-write.ts';
import type { Write } from './plan-write.ts';
import { invalid } from './refusal.ts';
import type { DynamoState } from './state.ts';
import { cancelled, OK, throttledReason } from './transaction-cancelled.ts';
import type { Reason } from './transaction-cancelled.ts';
import { refuseTwice } from './write-batch.ts';
import { applyWrite, checkWrite, itemAfter } from './write-item.ts';

/** @source DynamoDB API 2012-08-10, TransactWriteItems. */
const ITEMS_BYTES_MAX = 4 * 1024 * 1024;

interface Action {
  readonly kind: string;
  readonly input: JsonInput;
  readonly write: Write;
}

/** An action, with the item before it, and after it if nothing speaks against it. */
interface Step extends Action {
  readonly old: StoredItem | undefined;
  readonly fresh: StoredItem | undefined;
  readonly reason: Reason;
}

export function transactWriteItems(state: DynamoState, input: JsonInput): object {
  const actions = (input['TransactItems'] as readonly JsonInput[]).map((item) =>
    planAction(state, item),
  );
  refuseTwice(
    actions.map(({ write }) => write),
    'Transaction request cannot include multiple operations on one item',
  );
  const items = JSON.stringify(input['TransactItems']);
  const token = input['ClientRequestToken'];
  if (typeof token === 'string' && state.tokens.wasDone(token, items)) {
    return consumedByTable(input, actions.map(spentByRepeat(state)), 'read');
  }
  const faults = tableFaults(state, actions);
  const throttledTables = new Set(
    [...faults].filter(([, fault]) => fault === 'throttle').map(([name]) => name),
  );
  const spent = state.items.atomically(() => {
    const steps = actions.map((action) => tryAction(state, action, throttledTables));
    if (steps.some(({ reason }) => reason !== OK)) throw cancelled(steps.map((s) => s.reason));
    if (steps.reduce((sum, step) => sum + bytesOf(step), 0) > ITEMS_BYTES_MAX) {
      throw invalid('The aggregate size of the items in the transaction exceeds 4 MB');
    }
    if (typeof token === 'string') state.tokens.remember(token, items);
    return steps.map((step) => perform(state, step));
  });
  if ([...faults.values()].includes('timeout-after-write')) throw new HangUp();
  const changes = actions.filter(({ kind }) => kind !== 'ConditionCheck');
  return {
    ...consumedByTable(input, spent, 'write'),
    ...collectionMetricsByTable(
      state,
      input,
      changes.map(({ write }) => write),
    ),
  };
}

/** Each table of a transaction is one request on it. */
export function tableFaults(
  { faults }: DynamoState,
  actions: readonly { readonly write: Pick<Write, 'table'> }[],
  operation = 'TransactWriteItems',
): ReadonlyMap<string, 'throttle' | 'timeout-after-write' | undefined> {
  const names = new Set(actions.map(({ write }) => write.table.name));
  return new Map([...names].map((name) => [name, faults.onTable?.(name, operation)]));
}

function planAction(state: DynamoState, item: JsonInput): Action {
  const given = Object.entries(item).filter(([, raw]) => raw !== undefined && raw !== null);
  const [[kind, raw] = [], ...others] = given;
  if (kind === undefined || others.length > 0) {
    throw invalid('TransactItems can only contain one of Check, Put, Update or Delete');
  }
  const input = raw as JsonInput;
  const plan = kind === 'Put' ? planPut : kind === 'Update' ? planUpdate : planDelete;
  return { kind, input, write: plan(state, input) };
}

function tryAction(state: DynamoState, action: Action, throttledTables: Set<string>): Step {
  const { kind, input, write } = action;
  const old = state.items.get(write.table, write.key);
  const refused = (reason: Reason): Step => ({ ...action, old, fresh: undefined, reason });
  if (throttledTables.has(write.table.name)) {
    return refused(throttledReason(write.table));
  }
  try {
    checkWrite(write, old, input);
    const fresh = kind === 'ConditionCheck' ? old : itemAfter(write, old);
    return { ...action, old, fresh, reason: OK };
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    const Code =
      error.code === 'ValidationException' ? 'ValidationError' : 'ConditionalCheckFailed';
    return refused({ Code, Message: error.message, ...error.members });
  }
}

function perform(state: DynamoState, step: Step): Spent {
  const { kind, write, old, fresh } = step;
  const { indexWrites } =
    kind === 'ConditionCheck' ? { indexWrites: [] } : applyWrite(state, write, old, fresh);
  return spentByWrite(write.table, bytesOf(step), indexWrites, TRANSACTION_FACTOR);
}

function bytesOf({ old, fresh }: Step): number {
  return Math.max(old?.bytes ?? 0, fresh?.bytes ?? 0);
}

const spentByRepeat =
  ({ items }: DynamoState) =>
  ({ write: { table, key } }: Action): Spent =>
    spentByRead(table, readUnits(items.get(table, key)?.bytes ?? 0, 'transaction'));
