/** Where the local cloud and kinesis-local 0.6.2 answer differently, and who is right. */
import type { ExplainedDifference } from './parity.ts';

export const KINESIS_DIFFERENCES: readonly ExplainedDifference[] = [
  {
    question: 'create-no-shards',
    ours: { error: 'ValidationException' },
    theirs: { error: 'LimitExceededException' },
    right: 'ours',
    source:
      'the API model bounds it, and what the model bounds AWS answers with ValidationException: kinesalite, test/createStream.js, whose cases were asked of AWS',
  },
  {
    question: 'create-spaces',
    ours: { error: 'ValidationException' },
    theirs: { error: 'InvalidArgumentException' },
    right: 'ours',
    source:
      'the API model bounds it, and what the model bounds AWS answers with ValidationException: kinesalite, test/createStream.js, whose cases were asked of AWS',
  },
  {
    question: 'filter-at-trim-horizon',
    ours: [0],
    theirs: [0, 1, 2],
    right: 'ours',
    source: 'Kinesis API 2013-12-02, ShardFilter: the shards that were open at the trim horizon',
  },
  {
    question: 'from-garbage',
    ours: { error: 'InvalidArgumentException' },
    theirs: { error: 'Unknown' },
    right: 'ours',
    source: 'kinesalite, test/getRecords.js, whose cases were asked of AWS',
  },
  {
    question: 'from-number-foreign',
    ours: { error: 'InvalidArgumentException' },
    theirs: { error: 'ResourceNotFoundException' },
    right: 'ours',
    source: 'kinesalite, test/getShardIterator.js, whose cases were asked of AWS',
  },
  {
    question: 'from-number-superfluous',
    ours: { error: 'InvalidArgumentException' },
    theirs: ['one', 'two', 'three'],
    right: 'ours',
    source: 'kinesalite, test/getShardIterator.js, whose cases were asked of AWS',
  },
  {
    question: 'merge',
    ours: [
      '0 closed 0',
      '1 closed 170141183460469231731687303715884105728',
      '2 open 0 shardId-000000000000 shardId-000000000001',
    ],
    theirs: [
      '0 closed 0',
      '1 closed 170141183460469231731687303715884105727',
      '2 open 0 shardId-000000000000 shardId-000000000001',
    ],
    right: 'ours',
    source:
      'Kinesis Developer Guide, "DescribeStream": of two shards the second begins one above the end of the first, at 2^127',
  },
  {
    question: 'merge-closed',
    ours: { error: 'InvalidArgumentException' },
    theirs: { error: 'ResourceInUseException' },
    right: 'ours',
    source:
      'Kinesis API 2013-12-02, MergeShards: ResourceInUseException is for streams that are not ACTIVE, InvalidArgumentException for shards that cannot be merged',
  },
  {
    question: 'put-501',
    ours: { error: 'ValidationException' },
    theirs: { failed: 0, shards: [0] },
    right: 'ours',
    source: 'Kinesis API 2013-12-02, PutRecordsRequestEntryList: 1–500',
  },
  {
    question: 'put-hash-key-hexadecimal',
    ours: { error: 'ValidationException' },
    theirs: { error: 'Unknown' },
    right: 'ours',
    source:
      'the API model bounds it, and what the model bounds AWS answers with ValidationException: kinesalite, test/putRecord.js, whose cases were asked of AWS',
  },
  {
    question: 'put-hash-key-negative',
    ours: { error: 'ValidationException' },
    theirs: { error: 'InvalidArgumentException' },
    right: 'ours',
    source:
      'the API model bounds it, and what the model bounds AWS answers with ValidationException: kinesalite, test/putRecord.js, whose cases were asked of AWS',
  },
  {
    question: 'put-hash-key-zeros',
    ours: { error: 'ValidationException' },
    theirs: { error: 'InvalidArgumentException' },
    right: 'ours',
    source:
      'the API model bounds it, and what the model bounds AWS answers with ValidationException: kinesalite, test/putRecord.js, whose cases were asked of AWS',
  },
  {
    question: 'put-key-257',
    ours: { error: 'ValidationException' },
    theirs: { error: 'InvalidArgumentException' },
    right: 'ours',
    source:
      'the API model bounds it, and what the model bounds AWS answers with ValidationException: kinesalite, test/putRecord.js, whose cases were asked of AWS',
  },
  {
    question: 'put-key-empty',
    ours: { error: 'ValidationException' },
    theirs: { error: 'InvalidArgumentException' },
    right: 'ours',
    source:
      'the API model bounds it, and what the model bounds AWS answers with ValidationException: kinesalite, test/putRecords.js, whose cases were asked of AWS',
  },
  {
    question: 'put-none',
    ours: { error: 'ValidationException' },
    theirs: { failed: 0, shards: [] },
    right: 'ours',
    source: 'Kinesis API 2013-12-02, PutRecordsRequestEntryList: 1–500',
  },
  {
    question: 'put-over-1-mib',
    ours: { error: 'InvalidArgumentException' },
    theirs: { failed: 0, shards: [0] },
    right: 'ours',
    source: 'Kinesis API 2013-12-02, UpdateMaxRecordSize: 1 MiB unless the stream allows more',
  },
  {
    question: 'put-records-rate',
    ours: { throttled: true },
    theirs: { throttled: false },
    right: 'ours',
    source: 'Kinesis API 2013-12-02, PutRecords: 1,000 records a second and shard',
  },
  {
    question: 'put-request-over-10-mib',
    ours: { error: 'InvalidArgumentException' },
    theirs: { failed: 0, shards: [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] },
    right: 'ours',
    source: 'Kinesis API 2013-12-02, PutRecords: 10 MiB a request',
  },
  {
    question: 'read-end-number',
    ours: [0, 'undefined'],
    theirs: { error: 'ResourceNotFoundException' },
    right: 'ours',
    source:
      'Kinesis API 2013-12-02, GetShardIterator: the number may be the ending number of the shard, which no record has; kinesalite, test/getShardIterator.js, whose cases were asked of AWS',
  },
  {
    question: 'read-limit-0',
    ours: { error: 'ValidationException' },
    theirs: { error: 'InvalidArgumentException' },
    right: 'ours',
    source:
      'the API model bounds it, and what the model bounds AWS answers with ValidationException: kinesalite, test/getRecords.js, whose cases were asked of AWS',
  },
  {
    question: 'read-limit-10001',
    ours: { error: 'ValidationException' },
    theirs: { error: 'InvalidArgumentException' },
    right: 'unknown',
    source:
      'the text of GetRecords says InvalidArgumentException, its model a bound, which AWS answers with ValidationException; as in kinesalite, test/getRecords.js, whose cases were asked of AWS',
  },
  {
    question: 'read-six-times',
    ours: ['ProvisionedThroughputExceededException'],
    theirs: [],
    right: 'ours',
    source: 'Kinesis API 2013-12-02, GetRecords: five reads a second and shard',
  },
  {
    question: 'scale-double',
    ours: {
      counts: [2, 4],
      ranges: [
        '0',
        '170141183460469231731687303715884105728',
        '255211775190703847597530955573826158592',
        '85070591730234615865843651857942052864',
      ],
    },
    theirs: {
      counts: [2, 4],
      ranges: [
        '0',
        '170141183460469231731687303715884105727',
        '255211775190703847597530955573826158591',
        '85070591730234615865843651857942052863',
      ],
    },
    right: 'ours',
    source: 'ranges cover the ring from 0 to 2^128-1: halves of it begin at 2^127',
  },
  {
    question: 'scale-half',
    ours: { counts: [4, 2], ranges: ['0', '170141183460469231731687303715884105728'] },
    theirs: { counts: [4, 2], ranges: ['0', '170141183460469231731687303715884105726'] },
    right: 'ours',
    source: 'ranges cover the ring from 0 to 2^128-1: halves of it begin at 2^127',
  },
  {
    question: 'scale-over-double',
    ours: { error: 'LimitExceededException' },
    theirs: { error: 'InvalidArgumentException' },
    right: 'unknown',
    source: 'the API names both errors and not when; AWS was seen to answer LimitExceededException',
  },
  {
    question: 'scale-under-half',
    ours: { error: 'LimitExceededException' },
    theirs: {
      counts: [5, 2],
      ranges: [
        '0',
        '136112946768375385385349842972707284582',
        '272225893536750770770699685945414569164',
      ],
    },
    right: 'ours',
    source: 'Kinesis API 2013-12-02, UpdateShardCount: not below half',
  },
  {
    question: 'split-first-key',
    ours: { error: 'InvalidArgumentException' },
    theirs: ['0 closed 0', '1 open 0 shardId-000000000000', '2 open 0 shardId-000000000000'],
    right: 'ours',
    source: 'kinesalite, test/splitShard.js, whose cases were asked of AWS',
  },
  {
    question: 'split-last-key',
    ours: { error: 'InvalidArgumentException' },
    theirs: [
      '0 closed 0',
      '1 open 0 shardId-000000000000',
      '2 open 340282366920938463463374607431768211455 shardId-000000000000',
    ],
    right: 'ours',
    source: 'kinesalite, test/splitShard.js, whose cases were asked of AWS',
  },
  {
    question: 'split-second-key',
    ours: { error: 'InvalidArgumentException' },
    theirs: ['0 closed 0', '1 open 0 shardId-000000000000', '2 open 1 shardId-000000000000'],
    right: 'ours',
    source: 'kinesalite, test/splitShard.js, whose cases were asked of AWS',
  },
  {
    question: 'split-twice',
    ours: { error: 'InvalidArgumentException' },
    theirs: { error: 'ResourceInUseException' },
    right: 'ours',
    source:
      'Kinesis API 2013-12-02, SplitShard: ResourceInUseException is for streams that are not ACTIVE, InvalidArgumentException for shards that cannot be split',
  },
  {
    question: 'summary',
    ours: {
      status: 'ACTIVE',
      mode: 'PROVISIONED',
      hours: 24,
      shards: 2,
      consumers: 0,
      encryption: 'NONE',
      recordKib: 1024,
    },
    theirs: {
      status: 'ACTIVE',
      mode: 'PROVISIONED',
      hours: 24,
      shards: 2,
      consumers: 0,
      encryption: 'NONE',
      recordKib: null,
    },
    right: 'ours',
    source: 'Kinesis API 2013-12-02, StreamDescriptionSummary: MaxRecordSizeInKiB',
  },
];
