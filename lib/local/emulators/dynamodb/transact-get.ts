/** TransactGetItems: up to a hundred items, all as they were at one moment. */
import type { JsonInput } from '#local/aws-json';
import { consumedByTable, readUnits, spentByRead } from './capacity.ts';
import { planGet, shown } from './get-item.ts';
import { invalid } from './refusal.ts';
import type { DynamoState } from './state.ts';
import { tableFaults } from './transact-write.ts';
import { cancelled, OK, throttledReason } from './transaction-cancelled.ts';
import { refuseTwice } from './write-batch.ts';

/** @source DynamoDB API 2012-08-10, TransactGetItems. */
const ANSWER_BYTES_MAX = 4 * 1024 * 1024;

export function transactGetItems(state: DynamoState, input: JsonInput): object {
  const gets = (input['TransactItems'] as readonly JsonInput[]).map(({ Get }) =>
    planGet(state, Get as JsonInput),
  );
  refuseTwice(gets, 'Transaction request cannot include multiple operations on one item');
  const asked = gets.map((write) => ({ write }));
  const faults = tableFaults(state, asked, 'TransactGetItems');
  const reasons = gets.map(({ table }) =>
    faults.get(table.name) === 'throttle' ? throttledReason(table) : OK,
  );
  if (reasons.some((reason) => reason !== OK)) throw cancelled(reasons);
  const found = gets.map(({ table, key }) => state.items.get(table, key));
  const bytes = found.reduce((sum, stored) => sum + (stored?.bytes ?? 0), 0);
  if (bytes > ANSWER_BYTES_MAX) {
    throw invalid('The aggregate size of the items in the transaction exceeds 4 MB');
  }
  const spent = gets.map(({ table }, at) =>
    spentByRead(table, readUnits(found[at]?.bytes ?? 0, 'transaction')),
  );
  return {
    Responses: gets.map(({ paths }, at) => {
      const stored = found[at];
      return stored === undefined ? {} : { Item: shown(stored, paths) };
    }),
    ...consumedByTable(input, spent, 'read'),
  };
}
