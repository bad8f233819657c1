/** StreamWriter over PutRecords: translates shapes and error codes, and decides nothing. */
import { PutRecordsCommand } from '@aws-sdk/client-kinesis';
import type { KinesisClient, PutRecordsResultEntry } from '@aws-sdk/client-kinesis';
import { judgeError, toAwsError } from '#adapters/aws/aws-error';
import type { OutgoingRecord, SequenceNumber } from '#core/record/records';
import type { PutOutcome, StreamWriter } from '#ports/stream-writer';

export function kinesisStreamWriter(client: KinesisClient, streamName: string): StreamWriter {
  return {
    async put(records, signal) {
      try {
        const { Records: entries = [] } = await client.send(
          new PutRecordsCommand({ StreamName: streamName, Records: records.map(toEntry) }),
          ...(signal === undefined ? [] : [{ abortSignal: signal }]),
        );
        if (entries.length === records.length) return entries.map(toOutcome);
        const cause = new Error(`${entries.length} answers for ${records.length} records`);
        return records.map(() => ({ kind: 'unknown', cause }));
      } catch (error) {
        const outcome = wholeOutcome(error, streamName);
        return records.map(() => outcome);
      }
    },
  };
}

function toEntry({ partitionKey, data }: OutgoingRecord) {
  return { PartitionKey: partitionKey, Data: data };
}

function toOutcome(entry: PutRecordsResultEntry): PutOutcome {
  switch (entry.ErrorCode) {
    case undefined:
    case null:
      // An entry without an error has a number: the service's contract, checked nowhere else.
      return {
        kind: 'written',
        sequenceNumber: entry.SequenceNumber as SequenceNumber,
        shardId: entry.ShardId,
      };
    case 'ProvisionedThroughputExceededException':
      return { kind: 'throttled' };
    default:
      // InternalFailure, or a code not yet documented. Both are worth another try: only what we
      // can judge ourselves before sending is ever refused.
      return { kind: 'failed', code: entry.ErrorCode };
  }
}

/** @throws {AwsError} when no retry can help. */
function wholeOutcome(error: unknown, streamName: string): PutOutcome {
  switch (judgeError(error)) {
    case 'throttled':
      return { kind: 'throttled' };
    case 'unanswered':
      return { kind: 'unknown', cause: error instanceof Error ? error : new Error(String(error)) };
    case 'refused':
      throw toAwsError(`writing to the stream ${streamName}`, error);
  }
}
