/** A Lambda event of a Kinesis shard as records. */
import type { KinesisStreamEvent } from 'aws-lambda';
import { assert } from '#core/assert';
import type { SequenceNumber, StoredRecord } from '#core/record/records';

/**
 * Translate a batch, in its order.
 *
 * @source Lambda developer guide, using Lambda with Kinesis: `eventID` is `<shardId>:<sequence>`.
 * @throws {Defect} when an event is not of a Kinesis stream.
 */
export function fromKinesisEvent(event: KinesisStreamEvent): readonly StoredRecord[] {
  return event.Records.map(({ eventID, kinesis }) => {
    const colon = eventID.indexOf(':');
    assert(colon > 0, 'a Kinesis event id begins with its shard');
    return {
      shardId: eventID.slice(0, colon),
      sequenceNumber: kinesis.sequenceNumber as SequenceNumber,
      partitionKey: kinesis.partitionKey,
      data: Buffer.from(kinesis.data, 'base64'),
      arrivalTimeMs: Math.round(kinesis.approximateArrivalTimestamp * 1_000),
    };
  });
}
