/** A world for consumers: everything in memory, and able to fail where a test says so. */
import { memoryBreakerStore } from '#adapters/memory/breaker-store';
import { memoryCheckpointStore } from '#adapters/memory/checkpoint-store';
import { memoryQuarantine } from '#adapters/memory/quarantine';
import { memoryRecordTable } from '#adapters/memory/record-table';
import { AwsError } from '#adapters/aws/aws-error';
import type { BatchConsumed } from '#core/checkpoint/consume-event';
import type { SequenceNumber, StoredRecord } from '#core/record/records';
import type { StreamEvent } from '#core/record/stream-event';
import type { TelemetryEvent } from '#core/telemetry-event';
import { batchConsumer } from '#pipeline/consume';
import type { ConsumeOptions, ConsumePorts } from '#pipeline/consume-options';
import { tableSink } from '#pipeline/table-sink';
import type { RecordTable } from '#ports/record-table';
import type { Passage } from '#ports/sink';

export const SHARD = 'shardId-000000000003';
export const ARRIVAL_MS = 1_900_000_000_000;
export const FOREVER_MS = Number.MAX_SAFE_INTEGER;

export interface EventSketch {
  readonly key: string;
  /** Empty: a delete without one. */
  readonly version: number | '';
  readonly observed?: number;
  readonly deleted?: boolean;
  readonly data?: StreamEvent['data'];
}

export function eventOf(sketch: EventSketch): StreamEvent {
  const { key, version, deleted = version === '', data = { order_id: key } } = sketch;
  const { observed = Number(version) } = sketch;
  return {
    specversion: '1.0',
    id: `${key}@${version}#${observed}`,
    source: 'penstock/orders',
    type: deleted ? 'orders.delete' : 'orders.upsert',
    subject: key,
    time: '2031-06-12T16:00:00.000Z',
    datacontenttype: 'application/json',
    version: version === '' ? '' : String(version).padStart(38, '0'),
    observed: `0000000001-${String(observed).padStart(10, '0')}`,
    data,
  };
}

/** A record that holds an event, or bytes that hold none. */
export function recordOf(sequence: number | bigint, content: StreamEvent | string): StoredRecord {
  const isEvent = typeof content !== 'string';
  return {
    shardId: SHARD,
    sequenceNumber: String(sequence) as SequenceNumber,
    partitionKey: isEvent ? content.subject : 'lane',
    data: Buffer.from(isEvent ? JSON.stringify(content) : content),
    arrivalTimeMs: ARRIVAL_MS + Number(sequence),
  };
}

export const transient = () => new AwsError('the table is busy', { retryable: true, cause: null });

export function consumeWorld(
  { table: given, ...overrides }: Partial<ConsumePorts> & { table?: RecordTable } = {},
  options: Partial<ConsumeOptions> = {},
) {
  const table = memoryRecordTable();
  const quarantine = memoryQuarantine();
  const checkpoints = memoryCheckpointStore();
  const marks = memoryBreakerStore();
  const events: TelemetryEvent[] = [];
  const clock = { nowMs: () => ARRIVAL_MS + 5_000, sleep: async () => {} };
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  const ports: ConsumePorts = {
    sink: tableSink(given ?? table, overrides.clock ?? clock),
    quarantine,
    checkpoints,
    marks,
    report: (event) => events.push(event),
    clock,
    decodeText: (bytes) => decoder.decode(bytes),
    ...overrides,
  };
  const consume = batchConsumer(
    {
      pipeline: 'orders',
      consumer: 'orders',
      concurrency: 4,
      batchesPerShard: 1,
      breaker: { percent: 50, recordsMin: 50 },
      code: 'first',
      ...options,
    },
    ports,
  );
  return {
    table,
    quarantine,
    marks,
    events,
    consume: async (records: readonly StoredRecord[], startUntilMs = FOREVER_MS) => {
      const { resumeAt } = await consume(records, { passage: 'stream', startUntilMs });
      return resumeAt === undefined ? {} : { resumeAt };
    },
    consumeAs: (passage: Passage, records: readonly StoredRecord[]) =>
      consume(records, { passage, startUntilMs: FOREVER_MS }),
    checkpoints: () => checkpoints.list({ pipeline: 'orders', consumer: 'orders' }),
    summaries: () => events.filter((one): one is BatchConsumed => one.event === 'BatchConsumed'),
  };
}

/** Takes a number of turns of the event loop's microtasks. */
export async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn++) await Promise.resolve();
}
