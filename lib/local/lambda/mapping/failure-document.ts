/** What the failure destination receives of records that are given up. */
import type { NewId } from '#local/contracts';
import { RANDOM_ID } from '#local/new-id';
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
  readonly newId?: NewId | undefined;
}

/**
 * Write the invocation record: which records, and why. Without an invocation there is no response.
 *
 * @source Lambda developer guide, "Retain discarded batch records for a Kinesis …", 2026-10.
 */
export function failureDocument(giveUp: GiveUp, source: FailureSource, nowMs: number): object {
  const { records, invokes } = giveUp;
  const [first, last] = [records[0], records.at(-1)];
  return {
    requestContext: {
      requestId: giveUp.requestId ?? (source.newId ?? RANDOM_ID)(),
      functionArn: source.functionArn,
      condition: giveUp.condition,
      approximateInvokeCount: invokes,
    },
    ...(invokes === 0
      ? {}
      : {
          responseContext: {
            statusCode: 200,
            executedVersion: '$LATEST',
            functionError: giveUp.functionError ?? null,
          },
        }),
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
  };
}

/** A bucket receives the records as well: their event, as a JSON text. */
export function withPayload(document: object, records: readonly HeldRecord[]): object {
  return { ...document, payload: eventOf(records) };
}

/** `aws/lambda/<mapping>/<shard>/YYYY/MM/DD/YYYY-MM-DDTHH.MM.SS-<uuid>`, in UTC. */
export function failureKey(
  { mappingUuid, shardId, newId = RANDOM_ID }: FailureSource,
  nowMs: number,
): string {
  const time = isoTime(nowMs).slice(0, 19);
  const day = time.slice(0, 10).replaceAll('-', '/');
  const file = `${time.replaceAll(':', '.')}-${newId()}`;
  return `aws/lambda/${mappingUuid}/${shardId}/${day}/${file}`;
}

function isoTime(epochMs: number): string {
  return new Date(epochMs).toISOString();
}
