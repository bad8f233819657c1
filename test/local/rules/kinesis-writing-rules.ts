/** Rules of Kinesis: what every request is checked for and writing. */
import type { Rules } from './rule.ts';

export const WRITING_RULES = {
  'input-kind': {
    rule: 'a member of another kind than the API says is a SerializationException',
    source: 'kinesalite, test/putRecord.js, whose cases were asked of AWS',
  },
  'input-all-at-once': {
    rule: 'every member out of its bounds is named in one ValidationException',
    source: 'kinesalite, test/putRecord.js, whose cases were asked of AWS',
  },
  'input-unknown': {
    rule: 'a parameter that the local cloud does not know is refused by its name',
    source:
      'to ignore it would change what happens without a word; StreamId, "reserved for future use", is among them',
    isOurChoice: true,
  },
  'input-stream': {
    rule: 'a stream is asked for by name, by ARN, or by both where they agree',
    source: 'Kinesis API 2013-12-02, every operation on a stream',
  },
  'input-stream-missing': {
    rule: 'a request that names no stream is refused',
    source: 'Kinesis API 2013-12-02, every operation on a stream',
  },
  'input-not-found': {
    rule: 'a stream that is not there, or is of another account or Region, is not found',
    source: 'Kinesis API 2013-12-02, ResourceNotFoundException',
  },
  'input-unknown-operation': {
    rule: 'an operation that the local cloud does not know is refused by its name',
    source:
      'queues, channels, resource policies, account settings, warm throughput and service-managed distribution are not part of it',
    isOurChoice: true,
  },
  'call-rates': {
    rule: 'a control operation called too often is refused, and told so as LimitExceededException',
    limit:
      '5 a second for most; 10 DescribeStream, 20 DescribeStreamSummary, 1 DescribeLimits, 1,000 ListShards',
    source: 'Kinesis Developer Guide, "Quotas and limits"',
  },
  'put-request-records': {
    rule: 'a request of 500 records is taken, one of 501 or of none is refused',
    limit: '1–500 records',
    source: 'Kinesis API 2013-12-02, PutRecords',
  },
  'put-request-bytes': {
    rule: 'a request holds 10 MiB at most, partition keys included',
    limit: '10 MiB',
    source: 'Kinesis API 2013-12-02, PutRecords',
  },
  'put-record-bytes': {
    rule: 'a record holds 1 MiB at most, its partition key included, unless its stream allows more',
    limit: '1 MiB',
    source: 'Kinesis API 2013-12-02, PutRecordsRequestEntry',
  },
  'put-record-bytes-more': {
    rule: 'a stream allows records of 1 to 10 MiB, and no record is larger than 10 MiB',
    limit: '1,024–10,240 KiB',
    source: 'Kinesis API 2013-12-02, UpdateMaxRecordSize',
  },
  'put-too-large': {
    rule: 'one record that is too large for its stream fails the whole call, and nothing is written',
    source: 'AWS does not say what it does to its neighbours; this is the harsher reading',
    isOurChoice: true,
  },
  'put-bucket': {
    rule: 'a shard that rested takes one second of its rate at once, and no more',
    source: 'AWS counts seconds and does not say how; it lets more through in bursts',
    isOurChoice: true,
  },
  'put-large-burst': {
    rule: 'a record of more than a second of its shard is taken whole, and its shard then throttles for as long as it owes',
    limit: '1 MiB/s on average',
    source: 'Kinesis Developer Guide, "Large records"',
  },
  'put-partition-key': {
    rule: 'a partition key has 1 to 256 characters, however many bytes',
    limit: '256 characters',
    source: 'Kinesis API 2013-12-02, PutRecord',
  },
  'put-partition-key-absent': {
    rule: 'a record without a partition key is refused',
    source:
      'AWS needs none only where the service distributes records by itself, which the local cloud does not',
    isOurChoice: true,
  },
  'put-hash': {
    rule: 'the MD5 of the partition key, as a number, chooses the shard',
    source: 'Kinesis API 2013-12-02, PutRecord',
  },
  'put-hash-key': {
    rule: 'an explicit hash key is a decimal without sign or leading zero in 0 to 2^128-1 [PROD-17]',
    limit: '0 … 2^128-1',
    source:
      'Kinesis API 2013-12-02, PutRecord; kinesalite, test/putRecords.js, whose cases were asked of AWS',
  },
  'put-hash-key-wins': {
    rule: 'an explicit hash key chooses the shard, whatever the partition key',
    source: 'Kinesis API 2013-12-02, PutRecord',
  },
  'put-empty-data': {
    rule: 'a record may hold no data',
    source: 'Kinesis API 2013-12-02, PutRecord',
  },
  'put-base64': {
    rule: 'data that is no base64 is a SerializationException',
    source: 'kinesalite, test/putRecord.js, whose cases were asked of AWS',
  },
  'put-records-rate': {
    rule: 'a shard takes 1,000 records a second, then throttles until time has passed',
    limit: '1,000 records/s',
    source: 'Kinesis API 2013-12-02, PutRecords',
  },
  'put-bytes-rate': {
    rule: 'a shard takes 1 MiB a second, then throttles while its neighbours go on',
    limit: '1 MiB/s',
    source: 'Kinesis API 2013-12-02, PutRecords',
  },
  'put-partial-failure': {
    rule: 'throttling fails single entries of a call that answers 200, each in its place [PROD-05]',
    source: 'Kinesis API 2013-12-02, PutRecords',
  },
  'put-internal-failure': {
    rule: 'an entry may fail with InternalFailure, in the words of AWS',
    source: 'Kinesis API 2013-12-02, PutRecordsResultEntry',
  },
  'put-checked-first': {
    rule: 'one entry that is not possible fails the whole call, and nothing is written [PROD-05]',
    source: 'Kinesis API 2013-12-02, PutRecords',
  },
  'put-record-throttled': {
    rule: 'PutRecord is throttled, or fails, as a whole',
    source: 'Kinesis API 2013-12-02, PutRecord',
  },
  'put-numbers-rise': {
    rule: 'sequence numbers are unique, and rise within a shard',
    source: 'Kinesis API 2013-12-02, PutRecord',
  },
  'put-number-form': {
    rule: 'sequence numbers have 56 digits and begin with 49',
    source:
      'AWS documents at most 129 digits; so they are seen there, and written down in kinesalite, db/index.js',
    isOurChoice: true,
  },
  'put-ordering': {
    rule: 'a record put with SequenceNumberForOrdering has a greater number than the one given',
    source: 'Kinesis API 2013-12-02, PutRecord',
  },
  'put-ordering-refused': {
    rule: 'a SequenceNumberForOrdering that nobody gave out, or that lies in the future, is refused',
    source: 'kinesalite, test/putRecord.js, whose cases were asked of AWS',
  },
  'put-dry-run': {
    rule: 'a dry run checks everything, writes and reads nothing, and answers DryRunOperationException',
    source: 'Kinesis API 2013-12-02, PutRecord',
  },
  'put-duplicates': {
    rule: 'a put whose answer was lost is written, and once more when it is sent again, under other numbers',
    source: 'Kinesis Developer Guide, "Handle duplicate records"',
  },
} as const satisfies Rules;
