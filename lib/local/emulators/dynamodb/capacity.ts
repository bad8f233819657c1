/** The capacity that a request consumed, for those who ask. */
import type { JsonInput } from '#local/aws-json';
import { oneOf } from './refusal.ts';
import type { Table } from './table-store.ts';

const WRITE_UNIT_BYTES = 1_024;
const READ_UNIT_BYTES = 4_096;

/** `bytes` is the larger of the item before and after. */
export function writeCapacity(input: JsonInput, table: Table, bytes: number): object {
  return consumed(input, table, Math.max(1, Math.ceil(bytes / WRITE_UNIT_BYTES)));
}

export function readCapacity(input: JsonInput, table: Table, bytes: number): object {
  const units = Math.max(1, Math.ceil(bytes / READ_UNIT_BYTES));
  return consumed(input, table, input['ConsistentRead'] === true ? units : units / 2);
}

function consumed(input: JsonInput, table: Table, units: number): object {
  const asked = oneOf(input, 'ReturnConsumedCapacity', ['NONE', 'TOTAL', 'INDEXES'] as const);
  if (asked === 'NONE') return {};
  const CapacityUnits = units;
  return {
    ConsumedCapacity: {
      TableName: table.name,
      CapacityUnits,
      ...(asked === 'INDEXES' ? { Table: { CapacityUnits } } : {}),
    },
  };
}
