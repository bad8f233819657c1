/** What a stream is billed for in a month. */
import { HOURS_PER_MONTH, SEC_PER_MONTH } from './bill.ts';
import type { Usage } from './bill.ts';

/** @source Kinesis, pricing: a PUT payload unit is 25 KB of one record, begun units counted whole. */
const PUT_UNIT_BYTES = 25 * 1_024;
/** @source Kinesis, pricing on demand: each record is rounded up to 1 KB. */
const ON_DEMAND_STEP_BYTES = 1_024;
const GIB = 1_024 ** 3;
const SEC_PER_HOUR = 3_600;

/** @source Kinesis, pricing: a day is free of charge; a shard's price reaches to the seventh. */
const FREE_HOURS = 24;
const EXTENDED_HOURS = 168;

export interface StreamRates {
  /** Mean over the month; undefined when nobody has described it. */
  readonly recordsPerSec: number | undefined;
  /** Data and partition key together; undefined when nobody has described it. */
  readonly recordBytes: number | undefined;
  readonly retentionHours: number;
}

/** Count whole units of each record, never of a call. @example putUnits(25_601); // 2 */
export function putUnits(recordBytes: number): number {
  return Math.max(1, Math.ceil(recordBytes / PUT_UNIT_BYTES));
}

export function provisionedUsage(shardCount: number, rates: StreamRates): readonly Usage[] {
  const shardHours = shardCount * HOURS_PER_MONTH;
  const { recordsPerSec, recordBytes, retentionHours } = rates;
  const units = product(recordsPerSec, recordBytes && putUnits(recordBytes), SEC_PER_MONTH);
  return [
    row('shards', 'shardHour', shardHours),
    row('PUT payload units', 'putUnit', units),
    ...(retentionHours > FREE_HOURS
      ? [row('kept beyond a day', 'retentionShardHour', shardHours)]
      : []),
    ...longRetention(rates),
  ];
}

/** @param readers Consumers: each reads everything. */
export function onDemandUsage(readers: number, rates: StreamRates): readonly Usage[] {
  const { recordsPerSec, recordBytes, retentionHours } = rates;
  const stepped = recordBytes && Math.ceil(recordBytes / ON_DEMAND_STEP_BYTES);
  const inGb = product(recordsPerSec, stepped, (SEC_PER_MONTH * ON_DEMAND_STEP_BYTES) / GIB);
  const outGb = product(recordsPerSec, recordBytes, (SEC_PER_MONTH * readers) / GIB);
  const keptHours = Math.min(retentionHours, EXTENDED_HOURS) - FREE_HOURS;
  return [
    row('the stream', 'streamHour', HOURS_PER_MONTH),
    row('written', 'onDemandIn', inGb),
    row('read', 'onDemandOut', outGb),
    ...(keptHours > 0
      ? [row('kept beyond a day', 'onDemandRetention', keptGb(rates, keptHours))]
      : []),
    ...longRetention(rates),
  ];
}

function longRetention(rates: StreamRates): readonly Usage[] {
  const hours = rates.retentionHours - EXTENDED_HOURS;
  return hours > 0 ? [row('kept beyond a week', 'longRetention', keptGb(rates, hours))] : [];
}

/** What stands in the stream at any moment of `hours` hours, in GB. */
function keptGb({ recordsPerSec, recordBytes }: StreamRates, hours: number): number | undefined {
  return product(recordsPerSec, recordBytes, (hours * SEC_PER_HOUR) / GIB);
}

function product(
  one: number | undefined,
  other: number | undefined,
  factor: number,
): number | undefined {
  return one === undefined || other === undefined ? undefined : one * other * factor;
}

function row(what: string, price: Usage['price'], quantity: number | undefined): Usage {
  return { group: 'stream', what, price, quantity };
}
