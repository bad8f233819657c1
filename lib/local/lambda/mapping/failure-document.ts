/** What the failure bucket receives of records that are given up. */
import { randomUUID } from 'node:crypto';
import { eventOf } from './kinesis-event.ts';
import type { HeldRecord } from './kinesis-event.ts';
import type { GiveUpCondition } from './mapping-event.ts';

export interface GiveUp {
  readonly records: readonly HeldRecord[];
  readonly condition: GiveUpCondition;
  readonly invokes: number;
  /** Of the last invocation; undefined when there was none. */
  readonly requestId: string | undefined;
  readonly functionError: string | undefined;
}

export interface FailureSource {
  readonly mappingUuid: string;
  readonly functionArn: string;
  readonly streamArn: string;
  readonly shardId: string;
}

/**
 * Write the invocation record: the metadata, with the event itself as a JSON text in `payload`.
 *
 * @source Lambda developer guide, "Retain discarded batch records for a Kinesis …", 2026-10.
 */
export function failureDocument(giveUp: GiveUp, source: FailureSource, nowMs: number): object {
  const { records, invokes } = giveUp;
  const [first, last] = [records[0], records.at(-1)];
  return {
    requestContext: {
      requestId: giveUp.requestId ?? randomUUID(),
      functionArn: source.functionArn,
      condition: giveUp.condition,
      approximateInvokeCount: invokes,
    },
    responseContext: {
      statusCode: invokes === 0 ? null : 200,
      executedVersion: '$LATEST',
      functionError: giveUp.functionError ?? null,
    },
    version: '1.0',
    timestamp: isoTime(nowMs),
    KinesisBatchInfo: {
      shardId: source.shardId,
      startSequenceNumber: first?.sequenceNumber,
      endSequenceNumber: last?.sequenceNumber,
      approximateArrivalOfFirstRecord: isoTime(first?.arrivalTimeMs ?? nowMs),
      approximateArrivalOfLastRecord: isoTime(last?.arrivalTimeMs ?? nowMs),
      batchSize: records.length,
      streamArn: source.streamArn,
    },
    payload: eventOf(records),
  };
}

/** `aws/lambda/<mapping>/<shard>/YYYY/MM/DD/YYYY-MM-DDTHH.MM.SS-<uuid>`, in UTC. */
export function failureKey({ mappingUuid, shardId }: FailureSource, nowMs: number): string {
  const time = isoTime(nowMs).slice(0, 19);
  const day = time.slice(0, 10).replaceAll('-', '/');
  const file = `${time.replaceAll(':', '.')}-${randomUUID()}`;
  return `aws/lambda/${mappingUuid}/${shardId}/${day}/${file}`;
}

function isoTime(epochMs: number): string {
  return new Date(epochMs).toISOString();
}
