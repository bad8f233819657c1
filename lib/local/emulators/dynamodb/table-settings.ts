/** Operations on what else a table has: its items' time to live, its backups, its tags. */
import { ServiceError } from '#local/aws-json';
import type { JsonInput } from '#local/aws-json';
import { changeTimeToLive } from './create-table.ts';
import { invalid } from './refusal.ts';
import { tableOf } from './state.ts';
import type { DynamoState } from './state.ts';
import { readTags } from './table-properties.ts';
import type { Table } from './table-store.ts';

export function updateTimeToLive(state: DynamoState, input: JsonInput): object {
  const table = tableOf(state, input['TableName'], true);
  const { AttributeName, Enabled } = input['TimeToLiveSpecification'] as JsonInput;
  const name = String(AttributeName);
  if ((Enabled === true) === (table.ttlAttribute !== undefined)) {
    if (Enabled !== true || table.ttlAttribute === name) {
      throw invalid(`TimeToLive is already ${Enabled === true ? 'enabled' : 'disabled'}`);
    }
    throw otherAttribute(table.ttlAttribute);
  }
  if (Enabled !== true && table.ttlAttribute !== name) throw otherAttribute(table.ttlAttribute);
  changeTimeToLive(state, table, Enabled === true ? name : undefined);
  return { TimeToLiveSpecification: { Enabled, AttributeName } };
}

function otherAttribute(current: string | undefined): ServiceError {
  return invalid(
    `TimeToLive is active on a different AttributeName: current AttributeName is ${String(current)}`,
  );
}

export function describeTimeToLive(state: DynamoState, input: JsonInput): object {
  const { ttlAttribute } = tableOf(state, input['TableName'], true);
  return {
    TimeToLiveDescription:
      ttlAttribute === undefined
        ? { TimeToLiveStatus: 'DISABLED' }
        : { TimeToLiveStatus: 'ENABLED', AttributeName: ttlAttribute },
  };
}

const DAY_MS = 86_400_000;
/** The last moment that could be restored lies so far back. */
const RESTORABLE_DELAY_MS = 300_000;
const RECOVERY_DAYS = 35;

export function describeContinuousBackups(state: DynamoState, input: JsonInput): object {
  return backupsOf(state, backedUpTable(state, input));
}

export function updateContinuousBackups(state: DynamoState, input: JsonInput): object {
  const table = backedUpTable(state, input);
  const { PointInTimeRecoveryEnabled: enabled, RecoveryPeriodInDays: days } = input[
    'PointInTimeRecoverySpecification'
  ] as JsonInput;
  const sinceMs = table.recovery?.sinceMs ?? state.clock.nowMs();
  const recovery =
    enabled === true
      ? { sinceMs, days: Number(days ?? table.recovery?.days ?? RECOVERY_DAYS) }
      : undefined;
  return backupsOf(state, state.tables.change(table, { recovery }));
}

function backedUpTable(state: DynamoState, input: JsonInput): Table {
  try {
    return tableOf(state, input['TableName']);
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== 'ResourceNotFoundException') throw error;
    throw new ServiceError(
      'TableNotFoundException',
      `Table not found: ${String(input['TableName'])}`,
    );
  }
}

function backupsOf(state: DynamoState, { recovery }: Table): object {
  const nowMs = state.clock.nowMs();
  const PointInTimeRecoveryDescription =
    recovery === undefined
      ? { PointInTimeRecoveryStatus: 'DISABLED' }
      : {
          PointInTimeRecoveryStatus: 'ENABLED',
          RecoveryPeriodInDays: recovery.days,
          EarliestRestorableDateTime:
            Math.max(recovery.sinceMs, nowMs - recovery.days * DAY_MS) / 1_000,
          LatestRestorableDateTime: Math.max(recovery.sinceMs, nowMs - RESTORABLE_DELAY_MS) / 1_000,
        };
  return {
    ContinuousBackupsDescription: {
      ContinuousBackupsStatus: 'ENABLED',
      PointInTimeRecoveryDescription,
    },
  };
}

/** @source DynamoDB developer guide, tagging: up to 50 on a table. */
const TAGS_MAX = 50;

export function listTagsOfResource(state: DynamoState, input: JsonInput): object {
  const { tags } = tableOf(state, input['ResourceArn']);
  return { Tags: Object.entries(tags).map(([Key, Value]) => ({ Key, Value })) };
}

export function tagResource(state: DynamoState, input: JsonInput): object {
  const table = tableOf(state, input['ResourceArn']);
  const tags = { ...table.tags, ...readTags(input['Tags']) };
  if (Object.keys(tags).length > TAGS_MAX) {
    throw new ServiceError(
      'LimitExceededException',
      `Subscriber limit exceeded: The number of tags exceeds the limit of ${TAGS_MAX}`,
    );
  }
  state.tables.change(table, { tags });
  return {};
}

export function untagResource(state: DynamoState, input: JsonInput): object {
  const table = tableOf(state, input['ResourceArn']);
  const gone = input['TagKeys'] as readonly string[];
  const kept = Object.entries(table.tags).filter(([key]) => !gone.includes(key));
  state.tables.change(table, { tags: Object.fromEntries(kept) });
  return {};
}
