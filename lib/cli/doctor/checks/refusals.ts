/** Records that a poll would refuse, and rows that a table would. */
import { tableItem } from '#adapters/dynamodb/table-item';
import { share } from '#cli/doctor/finding';
import type { Check, Finding, RecordSeen } from '#cli/doctor/finding';
import { keyNames } from '#config/record-key';
import type { Refusal, RefusalReason } from '#core/record/refusal';

const FIELDS: Readonly<Partial<Record<RefusalReason, string>>> = {
  'no-key': 'record.key',
  'key-too-long': 'record.key',
  'no-version': 'record.version',
  'no-event-time': 'record.eventTime',
  'no-partition-key': 'record.partitionBy',
  'record-too-large': 'stream.recordBytesMax',
  'map-failed': 'map',
};

/** What `checkTimes` says of the record itself is not said twice. */
const SAID_OF_TIMES: readonly RefusalReason[] = ['no-version', 'no-event-time'];

export const checkRefusals: Check = ({ records }) => {
  const refusals = records.flatMap(({ row, data }) =>
    row.kind === 'refused' && !(data !== undefined && SAID_OF_TIMES.includes(row.reason))
      ? [row]
      : [],
  );
  return byReason(refusals, {
    all: records.length,
    fieldOf: (reason) => FIELDS[reason] ?? 'source.records',
    who: 'would be refused',
  });
};

/** By the very rules that the consumer has: what it refuses there, it refuses here. */
export const checkTables: Check = ({ settings: { consumers, record }, records }) =>
  consumers.flatMap((consumer, at) => {
    if (consumer.kind !== 'table') return [];
    const rules = { ...consumer, keyNames: keyNames(record.key) };
    return byReason(records.flatMap(itemRefusal(rules)), {
      all: records.length,
      fieldOf: () => `consumers.${at}.attributes`,
      who: `would be refused by the table ${consumer.name}`,
    });
  });

function itemRefusal(rules: Parameters<typeof tableItem>[1]) {
  return ({ row }: RecordSeen): Refusal[] => {
    if (row.kind !== 'published') return [];
    const item = tableItem(row.event, rules, 0);
    return item.kind === 'refused' ? [item] : [];
  };
}

/** One finding a reason: the first that has it speaks for all. */
function byReason(
  refusals: readonly Refusal[],
  { all, fieldOf, who }: { all: number; fieldOf: (reason: RefusalReason) => string; who: string },
): readonly Finding[] {
  const first = new Map(refusals.toReversed().map((one) => [one.reason, one.detail]));
  return Array.from(first, ([reason, detail]) => ({
    severity: 'error' as const,
    check: reason,
    field: fieldOf(reason),
    sentence: `${share(refusals.filter((one) => one.reason === reason).length, all)} ${who}: ${detail}.`,
  }));
}
