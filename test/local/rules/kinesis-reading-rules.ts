/** Rules of Kinesis: reading. */
import type { Rules } from './rule.ts';

export const READING_RULES = {
  'read-records-max': {
    rule: 'a read returns 10,000 records at most, and no more than it asks for',
    limit: '10,000 records',
    source: 'Kinesis API 2013-12-02, GetRecords',
  },
  'read-bytes-max': {
    rule: 'a read returns 10 MiB at most, but always one record',
    limit: '10 MiB',
    source: 'Kinesis API 2013-12-02, GetRecords',
  },
  'read-rate': {
    rule: 'a shard answers five reads a second, then throttles until time has passed',
    limit: '5 reads/s',
    source: 'Kinesis API 2013-12-02, GetRecords',
  },
  'read-bytes-rate': {
    rule: 'a shard that gave more than 2 MiB in a second throttles until 2 MiB a second make up for it',
    limit: '2 MiB/s',
    source: 'Kinesis API 2013-12-02, GetRecords',
  },
  'read-rest': {
    rule: 'after a read of 10 MiB a shard throttles for the next five seconds',
    limit: '5 s',
    source: 'Kinesis API 2013-12-02, GetRecords',
  },
  'read-order': {
    rule: 'records come back as they were put, in order, with the time of their arrival',
    source: 'Kinesis API 2013-12-02, GetRecords',
  },
  'read-behind': {
    rule: 'MillisBehindLatest counts from the last record read, and is 0 at the tip',
    source: 'Kinesis API 2013-12-02, GetRecords',
  },
  'read-empty': {
    rule: 'a read at the tip of an open shard returns nothing and goes on',
    source: 'Kinesis API 2013-12-02, GetRecords',
  },
  'read-end': {
    rule: 'a closed shard ends without a next iterator, and only once it is read out [LOCL-01]',
    source:
      'Kinesis API 2013-12-02, GetRecords, "null"; that it is absent, lifion-kinesis and kinesalite tell',
  },
  'read-children': {
    rule: 'the last read of a closed shard names its children, with their parents and ranges',
    source: 'Kinesis API 2013-12-02, GetRecords, ChildShards',
  },
  'read-once': {
    rule: 'an iterator that follows a read never returns what was read [LOCL-03]',
    source: 'Kinesis API 2013-12-02, GetRecords',
  },
  'read-trimmed': {
    rule: 'records older than the retention are gone, and an iterator before them reads on at the oldest',
    source: 'Kinesis API 2013-12-02, IncreaseStreamRetentionPeriod',
  },
  'read-arrival': {
    rule: 'arrival times do not step back within a shard, even where the clock does',
    source: 'AWS gives no guarantee; AT_TIMESTAMP needs one',
    isOurChoice: true,
  },
  'iterator-ttl': {
    rule: 'an iterator expires after five minutes',
    limit: '300 s',
    source: 'Kinesis API 2013-12-02, GetShardIterator',
  },
  'iterator-rate': {
    rule: 'a shard gives five iterators a second, then throttles',
    limit: '5 iterators/s',
    source: 'Kinesis API 2013-12-02, GetShardIterator',
  },
  'iterator-foreign': {
    rule: 'what is no iterator is refused, and one of a deleted stream is not found',
    source: 'kinesalite, test/getRecords.js, whose cases were asked of AWS',
  },
  'iterator-arn': {
    rule: 'an iterator is not taken with the ARN of another stream',
    source: 'AWS does not say',
    isOurChoice: true,
  },
  'iterator-kept': {
    rule: 'one iterator may be used again and again until it expires, and reads the same',
    source: 'Kinesis API 2013-12-02, GetRecords',
  },
  'from-trim-horizon': {
    rule: 'TRIM_HORIZON begins at the oldest record that is kept',
    source: 'Kinesis API 2013-12-02, GetShardIterator',
  },
  'from-latest': {
    rule: 'LATEST begins with what is put after it was asked for',
    source: 'Kinesis API 2013-12-02, GetShardIterator',
  },
  'from-number': {
    rule: 'AT_SEQUENCE_NUMBER begins with the record of that number, AFTER_SEQUENCE_NUMBER behind it',
    source: 'Kinesis API 2013-12-02, GetShardIterator',
  },
  'from-start-number': {
    rule: "AT and AFTER_SEQUENCE_NUMBER take the shard's own starting number, which no record has [LOCL-07]",
    source: 'Kinesis API 2013-12-02, GetShardIterator',
  },
  'from-end-number': {
    rule: 'AFTER_SEQUENCE_NUMBER takes the ending number of a closed shard, and finds its end',
    source: 'Kinesis API 2013-12-02, GetShardIterator',
  },
  'from-foreign-number': {
    rule: 'a sequence number that did not come from the shard is refused',
    source: 'kinesalite, test/getShardIterator.js, whose cases were asked of AWS',
  },
  'from-timestamp': {
    rule: 'AT_TIMESTAMP begins with the first record that arrived then or later',
    source: 'Kinesis API 2013-12-02, GetShardIterator',
  },
  'from-timestamp-before': {
    rule: 'a timestamp before everything begins at the oldest record',
    source: 'Kinesis API 2013-12-02, GetShardIterator',
  },
  'from-timestamp-after': {
    rule: 'a timestamp after every record begins with what is put next',
    source: 'Kinesis API 2013-12-02, GetShardIterator',
  },
  'from-timestamp-future': {
    rule: 'a timestamp in the future is refused',
    source: 'kinesalite, test/getShardIterator.js, whose cases were asked of AWS',
  },
  'from-members': {
    rule: 'an iterator type takes its own member and no other',
    source: 'kinesalite, test/getShardIterator.js, whose cases were asked of AWS',
  },
  'from-closed': {
    rule: 'LATEST at a closed shard is its end, TRIM_HORIZON its records',
    source: 'Kinesis API 2013-12-02, GetShardIterator',
  },
  'from-shard-number': {
    rule: 'a shard is found by its id, or by the number in it',
    source: 'kinesalite, test/getShardIterator.js, whose cases were asked of AWS',
  },
} as const satisfies Rules;
