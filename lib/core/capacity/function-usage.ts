/** What the functions of a pipeline, and their writes, are billed for in a month. */
import { SEC_PER_MONTH } from './bill.ts';
import type { Usage } from './bill.ts';

/** What nobody has described, and the estimate needs. */
export interface Assumed {
  /** One conditional write, as a consumer waits for it. */
  readonly writeMs: number;
  /** One call of a handler, whatever it does. */
  readonly callMs: number;
  /** A page: fetched, published, the cursor saved. */
  readonly pageMs: number;
  /** One request to the stream, as the publisher waits for it. */
  readonly putMs: number;
}

/** Orders of magnitude, not measured on AWS. */
export const ASSUMED: Assumed = { writeMs: 10, callMs: 100, pageMs: 250, putMs: 10 };

export interface ConsumerLoad {
  /** A handler writes to no table of ours. */
  readonly kind: 'table' | 'handler';
  readonly recordsPerSec: number;
  readonly recordBytes: number;
  readonly shardCount: number;
  readonly batchSize: number;
  readonly batchingWindowSec: number;
  readonly batchesPerShard: number;
  readonly concurrency: number;
  readonly memoryMb: number;
}

export interface PollLoad {
  readonly recordsPerSec: number;
  readonly ticksPerMonth: number;
  readonly pageSize: number;
  /** Read again by every poll, in seconds of the source's time. */
  readonly horizonSec: number;
  readonly memoryMb: number;
}

/** In a month. */
export interface Work {
  readonly invocations: number;
  readonly gbSeconds: number;
  /** DynamoDB's write units. */
  readonly writeUnits: number;
  /** Written to the log. */
  readonly logBytes: number;
}

/** @source DynamoDB, pricing: a write unit is 1 KB of one item, begun units counted whole. */
const WRITE_UNIT_BYTES = 1_024;
/** @source Lambda, quotas: 6 MB an invocation, records in base64 and each in an envelope. */
const PAYLOAD_BYTES_MAX = 6 * 1_024 * 1_024;
const ENVELOPE_BYTES = 590;
const BASE64 = 4 / 3;
/** A shard is asked for records once a second. @source Lambda, Kinesis event source mappings. */
const READ_EVERY_SEC = 1;

/** Lines of one event with its metrics, as measured; START, END and REPORT of an invocation, as estimated. */
export const LOG_BYTES = { invocation: 300, batch: 1_400, page: 1_250, poll: 1_000 };

const MB_PER_GB = 1_024;
const MS_PER_SEC = 1_000;

/** @example writeUnits(1_025); // 2 */
export function writeUnits(itemBytes: number): number {
  return Math.max(1, Math.ceil(itemBytes / WRITE_UNIT_BYTES));
}

/**
 * A consumer's work, no two records of a batch sharing a key: at most what it really is.
 *
 * Batches are full, or begun at every read of a shard, whichever makes more.
 */
export function consumerWork(
  load: ConsumerLoad,
  { writeMs, callMs }: Pick<Assumed, 'writeMs' | 'callMs'> = ASSUMED,
): Work {
  const { recordsPerSec, recordBytes, memoryMb } = load;
  const readsPerSec =
    (load.shardCount * load.batchesPerShard) / Math.max(READ_EVERY_SEC, load.batchingWindowSec);
  const perSec = Math.max(recordsPerSec / batchOf(load), Math.min(recordsPerSec, readsPerSec));
  const invocations = perSec * SEC_PER_MONTH;
  const records = recordsPerSec * SEC_PER_MONTH;
  const isTable = load.kind === 'table';
  // After the records comes the checkpoint, alone.
  const waitMs =
    (records / load.concurrency) * (isTable ? writeMs : callMs) + invocations * writeMs;
  return {
    invocations,
    gbSeconds: (waitMs * memoryMb) / MS_PER_SEC / MB_PER_GB,
    writeUnits: (isTable ? records * writeUnits(recordBytes) : 0) + invocations,
    logBytes: invocations * (LOG_BYTES.invocation + LOG_BYTES.batch),
  };
}

/** Records of a full batch. */
function batchOf({ batchSize, recordBytes }: ConsumerLoad): number {
  const fit = Math.floor(PAYLOAD_BYTES_MAX / (recordBytes * BASE64 + ENVELOPE_BYTES));
  return Math.max(1, Math.min(batchSize, fit));
}

/** A poller's work; it never polls twice at once, so it is busy for a month at most. */
export function pollWork(load: PollLoad, { pageMs }: Pick<Assumed, 'pageMs'> = ASSUMED): Work {
  const { ticksPerMonth: ticks, memoryMb } = load;
  const records = load.recordsPerSec * (SEC_PER_MONTH + ticks * load.horizonSec);
  const pagesMax = (SEC_PER_MONTH * MS_PER_SEC) / pageMs;
  // A poll reads a page at least, and ends with one that is not full.
  const pages = Math.min(records / load.pageSize + ticks, pagesMax);
  return {
    invocations: ticks,
    gbSeconds: (pages * pageMs * memoryMb) / MS_PER_SEC / MB_PER_GB,
    // The lease is taken and given back; a page saves the cursor.
    writeUnits: 2 * ticks + pages,
    logBytes: ticks * (LOG_BYTES.invocation + LOG_BYTES.poll) + pages * LOG_BYTES.page,
  };
}

/** How long a page may take, one after another, if polls are to keep up, in ms. */
export function pageMsMax(load: Pick<PollLoad, 'recordsPerSec' | 'pageSize'>): number {
  return (load.pageSize / load.recordsPerSec) * MS_PER_SEC;
}

/** @param work undefined where the load is not described. */
export function workUsage(who: string, work: Work | undefined): readonly Usage[] {
  const logGb = work && work.logBytes / 1_024 ** 3;
  const row = (
    group: Usage['group'],
    what: string,
    price: Usage['price'],
    quantity: number | undefined,
  ): Usage => ({ group, what: `${what}, ${who}`, price, quantity });
  return [
    row('functions', 'requests', 'lambdaRequest', work?.invocations),
    row('functions', 'duration', 'lambdaArmSecond', work?.gbSeconds),
    row('tables', 'writes', 'tableWrite', work?.writeUnits),
    row('watching', 'logs written', 'logIn', logGb),
    row('watching', 'logs kept', 'logKept', logGb),
  ];
}
