/** StreamWriter over PutRecords: translates shapes and error codes, and decides nothing. */
import { PutRecordsCommand } from '@aws-sdk/client-kinesis';
import type { KinesisClient, PutRecordsResultEntry } from '@aws-sdk/client-kinesis';
import { judgeError, toAwsError } from '#adapters/aws/aws-error';
import type { OutgoingRecord, SequenceNumber } from '#core/record/records';
import type { PutOutcome, StreamWriter } from '#ports/stream-writer';

export function kinesisStreamWriter(client: KinesisClient, streamName: string): StreamWriter {
  /** Bodies that were answered: a new one for each request is what garbage collection is mostly for. */
  const spare: Buffer[] = [];

  return {
    async put(records, signal) {
      if (records.length === 0) return [];
      const buffer = bodyBuffer(streamName, records, spare.pop());
      const body = writeBody(buffer, streamName, records);
      try {
        const { Records: entries = [] } = await client.send(
          putCommand(streamName, body),
          ...(signal === undefined ? [] : [{ abortSignal: signal }]),
        );
        // One that failed may still be on its way out.
        spare.push(buffer);
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

/**
 * The SDK's request with a body of our own: the SDK walks its schema for each entry and makes base64
 * letter by letter, which is more work than all else that is done for a record.
 */
function putCommand(streamName: string, body: Uint8Array): PutRecordsCommand {
  const command = new PutRecordsCommand({ StreamName: streamName, Records: [] });
  command.middlewareStack.add(
    (next) => (args) => next({ ...args, request: Object.assign(args.request as object, { body }) }),
    { step: 'serialize', priority: 'low', name: 'writtenBody' },
  );
  return command;
}

/** A key's character is six bytes at most: `\\u001f`. */
const KEY_CHARACTER_BYTES_MAX = 6;
/** What stands around an entry's key and data, and around all entries beside the stream's name. */
const FRAME_BYTES = 64;

/** Room for the body; the spare one unless that is too small. */
function bodyBuffer(
  streamName: string,
  records: readonly OutgoingRecord[],
  spare: Buffer | undefined,
): Buffer {
  let bytes = FRAME_BYTES + streamName.length;
  for (const { data, partitionKey } of records) {
    const keyBytes = partitionKey.length * KEY_CHARACTER_BYTES_MAX;
    bytes += Math.ceil(data.byteLength / 3) * 4 + keyBytes + FRAME_BYTES;
  }
  return spare !== undefined && spare.byteLength >= bytes ? spare : Buffer.allocUnsafeSlow(bytes);
}

/** `PutRecords` as JSON. */
function writeBody(
  buffer: Buffer,
  streamName: string,
  records: readonly OutgoingRecord[],
): Uint8Array {
  let at = buffer.write(`{"StreamName":${JSON.stringify(streamName)},"Records":[`);
  let source: Buffer = Buffer.alloc(0);
  for (const { data, partitionKey } of records) {
    if (source.buffer !== data.buffer) source = Buffer.from(data.buffer);
    const base64 = source.toString('base64', data.byteOffset, data.byteOffset + data.byteLength);
    at += buffer.write('{"Data":"', at, 'latin1');
    at += buffer.write(base64, at, 'latin1');
    at += buffer.write(`","PartitionKey":${JSON.stringify(partitionKey)}},`, at);
  }
  // In place of the last comma.
  at += buffer.write(']}', at - 1, 'latin1') - 1;
  return buffer.subarray(0, at);
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
