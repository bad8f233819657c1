/**
 * RecordTable over one conditional UpdateItem a version: DynamoDB itself decides which one stands.
 *
 * Always true of an item: its `_shape` tells the members that its version has, and it holds no other
 * version's. A write names the shapes it may meet, and takes away what these have and it has not; one
 * that meets another learns it from the item in its way, and writes over exactly that item.
 */
import {
  ConditionalCheckFailedException,
  PutItemCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { toAwsError } from '#adapters/aws/aws-error';
import { standAfter } from '#core/record/fold';
import type { Versioned } from '#core/record/fold';
import type { Refusal, RefusalReason } from '#core/record/refusal';
import type { Clock } from '#ports/clock';
import type { RecordTable, UpsertOutcome } from '#ports/record-table';
import { knownShapes } from './known-shapes.ts';
import { OURS, standingIn, tableItem } from './table-item.ts';
import type { Attributes, ItemRules, TableItem } from './table-item.ts';
import { isWide, MEMBERS_MAX, namesStanding, writeOver, writeUnseen } from './write-version.ts';
import type { VersionWrite } from './write-version.ts';

export interface RecordTableOptions extends ItemRules {
  readonly tableName: string;
  readonly clock: Clock;
}

export function dynamoRecordTable(
  client: DynamoDBClient,
  { tableName, clock, ...rules }: RecordTableOptions,
): RecordTable {
  const { mode } = rules;
  const known = knownShapes(mode);

  return {
    async upsert(event) {
      const item = tableItem(event, rules, clock.nowMs());
      if (item.kind === 'refused') return item;
      if (mode === 'merge' && isWide(item)) return tooWide(item);
      try {
        return await write(event, item);
      } catch (error) {
        const refusal = refusalOf(error);
        if (refusal !== undefined) return refusal;
        throw toAwsError(`writing to the table ${tableName}`, error);
      }
    },
  };

  async function write(version: Versioned, item: TableItem): Promise<UpsertOutcome> {
    let standing = await inTheWayOf(writeUnseen(item, tableName, known));
    // Each turn has seen what stands: only a writer that was faster asks for another.
    while (standing !== undefined) {
      if (standAfter(standingIn(standing), version) === undefined) return { kind: 'stale' };
      const { [OURS.shape]: shape } = standing;
      if (shape?.S !== undefined) {
        known.remember({ text: shape.S, names: namesStanding(standing, item, mode) });
      }
      standing = await inTheWayOf(writeOver(standing, item, { tableName, mode }));
    }
    known.remember(item.shape);
    return { kind: 'written' };
  }

  /** The item that failed the condition; undefined when it was written. */
  async function inTheWayOf({ kind, input }: VersionWrite): Promise<Attributes | undefined> {
    try {
      // One command each: the SDK's types do not take a union.
      if (kind === 'put') await client.send(new PutItemCommand(input));
      else await client.send(new UpdateItemCommand(input));
      return undefined;
    } catch (error) {
      if (error instanceof ConditionalCheckFailedException) return error.Item ?? {};
      throw error;
    }
  }
}

function tooWide({ members }: TableItem): Refusal {
  const count = Object.keys(members).length;
  const detail = `the record has ${count} members on top; beside other writers a table takes ${MEMBERS_MAX}`;
  return { kind: 'refused', reason: 'item-too-large', detail };
}

/**
 * What DynamoDB says of an item that our own rules let through.
 *
 * @source DynamoDB's answers to writes (2026-10).
 */
const SAID_OF_AN_ITEM: readonly (readonly [RegExp, RefusalReason])[] = [
  [/Item size .*exceeded/i, 'item-too-large'],
  [/nesting levels/i, 'nested-too-deep'],
  [/number (overflow|underflow)|significant digits/i, 'number-out-of-range'],
];

/** Said of the table, whatever the item: its records wait until it is mended. */
const SAID_OF_THE_TABLE = /does not match the schema|Type mismatch for key|Missing the key/i;

/** It would say the same again. */
const OF_ITS_OWN: readonly [RegExp, RefusalReason] = [/./, 'table-refused'];

const VERDICTS = ['ValidationException', 'SerializationException'];

function refusalOf(error: unknown): Refusal | undefined {
  if (!(error instanceof Error) || !VERDICTS.includes(error.name)) return undefined;
  if (SAID_OF_THE_TABLE.test(error.message)) return undefined;
  const [, reason] = SAID_OF_AN_ITEM.find(([said]) => said.test(error.message)) ?? OF_ITS_OWN;
  return { kind: 'refused', reason, detail: `DynamoDB: ${error.message}` };
}
