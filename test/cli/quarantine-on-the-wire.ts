/** A quarantine bucket and a true consumer behind a real port, and the commands that speak to them. */
import { onTestFinished } from 'vitest';
import { fromKinesisEvent } from '#adapters/kinesis/from-event';
import type { ConsumeInput } from '#adapters/kinesis/consume-input';
import { bucketQuarantine } from '#adapters/objects/quarantine';
import { memoryRecordTable } from '#adapters/memory/record-table';
import { connect } from '#cli/connection';
import type { SequenceNumber, StoredRecord } from '#core/record/records';
import type { StreamEvent } from '#core/record/stream-event';
import { createKinesis } from '#local/emulators/kinesis/kinesis';
import { createObjects } from '#local/emulators/objects/objects';
import { isInvokePath } from '#local/invoke-api';
import { openStorage } from '#local/storage';
import { SYSTEM_CLOCK } from '#local/system-clock';
import { openWire } from '#local/wire';
import type { SetAside } from '#ports/quarantine';
import { consumeWorld } from '#test/pipeline/consume-world';
import { runRecorded } from './run-recorded.ts';

export const BUCKET = 'penstock-dev-orders-refused-000000000000-us-east-1';
export const DAY_MS = Date.UTC(2031, 5, 12);

/** A record as the consumer refused it, from the stream. */
export function refusal(
  sequence: number,
  payload: string,
  change: Partial<SetAside> = {},
): SetAside {
  const origin = {
    shardId: 'shardId-000000000003',
    sequenceNumber: String(sequence) as SequenceNumber,
    partitionKey: 'lane',
    arrivalTimeMs: DAY_MS + sequence,
  };
  return {
    pipeline: 'orders',
    stage: 'orders',
    reason: 'not-json',
    detail: 'bytes that are not JSON in UTF-8',
    place: `${origin.shardId}-${sequence}`,
    payload: Buffer.from(payload),
    origin,
    atMs: origin.arrivalTimeMs,
    ...change,
  };
}

/** @param refuses events that the consumer's table cannot hold. */
export async function quarantineOnTheWire(refuses: (event: StreamEvent) => boolean = () => false) {
  const place = { storage: openStorage(), clock: SYSTEM_CLOCK, region: 'us-east-1' };
  const kinesis = createKinesis({ ...place, accountId: '000000000000' });
  kinesis.createStream({ Name: 'penstock-dev-orders', ShardCount: 1 });
  const objects = createObjects(place);
  objects.buckets.createBucket(BUCKET);
  const asked: { readonly functionName: string; readonly records: readonly StoredRecord[] }[] = [];
  const wire = await openWire({
    targets: { [kinesis.target]: kinesis },
    paths: [
      {
        matches: ({ path }) => isInvokePath(path),
        handler: {
          async handle({ path, body }) {
            const input = JSON.parse(Buffer.from(body).toString()) as ConsumeInput;
            const records = fromKinesisEvent(input);
            asked.push({ functionName: path.split('/')[3]!, records });
            const { ends } = await world.consumeAs(input.passage ?? 'stream', records);
            const answer = { batchItemFailures: [], ends };
            return { status: 200, body: JSON.stringify(answer) };
          },
        },
      },
      { matches: () => true, handler: objects },
    ],
  });
  const connection = connect(wire.url, {});
  const quarantine = bucketQuarantine(await connection.signed('s3'), BUCKET);
  const table = memoryRecordTable();
  const world = consumeWorld({
    quarantine,
    table: {
      upsert: async (event) =>
        refuses(event)
          ? { kind: 'refused', reason: 'nested-too-deep', detail: 'it is too deep' }
          : table.upsert(event),
    },
  });
  onTestFinished(async () => {
    connection.close();
    await wire.close();
  });
  return {
    ...world,
    table,
    asked,
    buckets: objects.buckets,
    async refuse(...records: readonly SetAside[]) {
      for (const one of records) await quarantine.put(one);
    },
    keys: () =>
      objects.buckets
        .page(BUCKET, { prefix: '', after: '', countMax: 1_000 })
        .map(({ key }) => key),
    put: (key: string, text: string) => objects.buckets.put(BUCKET, key, Buffer.from(text)),
    run: (argv: readonly string[], env: Readonly<Record<string, string>> = {}) =>
      runRecorded([...argv, '--cloud', wire.url], { env }),
  };
}
