import type { Rules } from '#test/local/rules/rule';

const PARAMETERS = 'lambda/latest/dg/services-kinesis-parameters';
const MAPPINGS = 'lambda/latest/dg/invocation-eventsourcemapping';
const KINESIS = 'lambda/latest/dg/with-kinesis';

/** What a function is handed, and when. */
export const BATCH_RULES = {
  'batch-size': {
    rule: 'Two records of one PutRecords are two invocations of a BatchSize of 1 [LOCL-08]',
    limit: '1 to 10,000 records; 100 by default',
    source: PARAMETERS,
  },
  'batch-order': {
    rule: 'Batches of a shard follow one another in order, each when the one before it is done',
    source: KINESIS,
  },
  'event-shape': {
    rule: 'An event has data in base64 once, sequence number, event id, role, and arrival in seconds with a fraction [LOCL-10]',
    source: `${KINESIS}, example event`,
  },
  'payload-bytes': {
    rule: 'A batch stays within its bytes, with base64 and envelope',
    limit: '6 MB',
    source: MAPPINGS,
  },
  'record-too-large': {
    rule: 'A record that no event can hold goes to the destination, and its neighbours to the function',
    source: 'streams/latest/dev/large-records',
  },
  'batching-window': {
    rule: 'A batching window gathers what arrives until it ends',
    limit: '0 to 300 s; 0 by default',
    source: MAPPINGS,
  },
  'batching-window-full': {
    rule: 'A full batch does not wait for its batching window',
    source: MAPPINGS,
  },
  'batching-window-next': {
    rule: 'A batching window begins when the invocation before it is done',
    source: MAPPINGS,
  },
  'shard-end-batch': {
    rule: 'The end of a shard ends its batching window',
    source: 'nothing can follow in that shard, so nothing is waited for',
    isOurChoice: true,
  },
  'poll-rate': {
    rule: 'A faithful mapping reads each shard once a second',
    limit: '1 s',
    source: KINESIS,
  },
  'told-of-writes': {
    rule: 'A mapping that is not faithful reads when something is written',
    source: 'nobody who tests waits a second for nothing',
    isOurChoice: true,
  },
  'poll-batches': {
    rule: 'One read brings as many batches as its records make',
    limit: '10,000 records or 10 MB a read',
    source: 'Kinesis API 2013-12-02, GetRecords',
  },
  'shards-at-once': {
    rule: 'Shards are delivered at the same time, each batch from one shard',
    source: KINESIS,
  },
  'two-functions': {
    rule: 'Two functions of one stream each have every record, each at its own pace',
    source: KINESIS,
  },
  aggregated: {
    rule: 'An aggregated record is handed over as it is: the function takes it apart',
    source: `${KINESIS}, shared iterators`,
  },
  'parallelization-factor': {
    rule: 'Parallel batches of a shard share no partition key, and each key keeps its order',
    limit: '1 to 10 batches of a shard; 1 by default',
    source: KINESIS,
  },
  'iterator-age': {
    rule: 'IteratorAge is the age of the last record of a batch when it is sent',
    source: 'lambda/latest/dg/monitoring-metrics-types',
  },
  'event-counts': {
    rule: 'Events are counted when they are read, and where a filter drops them, only for a mapping that asks for EventCount',
    source: 'lambda/latest/dg/monitoring-metrics-types',
  },
} as const satisfies Rules;

/** Where a mapping begins, goes on and ends. */
export const PLACE_RULES = {
  'start-trim-horizon': {
    rule: 'TRIM_HORIZON begins with the oldest record that the stream has',
    source: PARAMETERS,
  },
  'start-latest': {
    rule: 'LATEST begins after what is written, and reads whole each shard that opens later',
    source: PARAMETERS,
  },
  'start-at-timestamp': {
    rule: 'AT_TIMESTAMP begins with the first record that arrived then or later',
    source: PARAMETERS,
  },
  'parents-first': {
    rule: 'All records of a parent come before those of its children, and an empty parent ends first [CONS-11]',
    source: 'repost.aws, "lineage is handled for you if you are using … a Lambda consumer"',
  },
  'merge-waits': {
    rule: 'The child of a merge waits for both its parents',
    source: 'streams/latest/dev/kinesis-using-sdk-java-after-resharding',
  },
  'later-shards': {
    rule: 'Shards of a later split are found and read [CONS-13]',
    source: 'streams/latest/dev/kinesis-using-sdk-java-after-resharding',
  },
  checkpoint: {
    rule: 'A mapping goes on after what was finished, whatever its starting position',
    source: MAPPINGS,
  },
  'checkpoint-partial': {
    rule: 'A mapping that stops amid a failing batch goes on where the function said',
    source: 'lambda/latest/dg/services-kinesis-batchfailurereporting',
  },
  'stop-waits': {
    rule: 'A mapping that is stopped waits for its invocation and keeps what that finished',
    source: 'an end of the local cloud is no failure of the records',
    isOurChoice: true,
  },
  disabled: {
    rule: 'A disabled mapping invokes nothing, and an enabled one goes on where it was',
    source: 'Lambda API 2015-03-31, CreateEventSourceMapping: Enabled',
  },
  'update-in-place': {
    rule: 'An update replays nothing and loses nothing',
    source: 'Lambda API 2015-03-31, UpdateEventSourceMapping',
  },
  'update-factor': {
    rule: 'An update of the ParallelizationFactor replays nothing and loses nothing',
    source: 'Lambda API 2015-03-31, UpdateEventSourceMapping',
  },
  'update-attempts': {
    rule: 'A batch that is failing when its mapping is updated begins its attempts anew',
    source:
      'the number of attempts is of a batch, and the update may make another batch of its records',
    isOurChoice: true,
  },
  'stream-made-again': {
    rule: 'A stream that was deleted and made again under its name is read from its beginning',
    source:
      'sequence numbers of the old stream say nothing of the new one, and no record of it may be skipped',
    isOurChoice: true,
  },
  'at-least-once': {
    rule: 'A finished batch is delivered once more when a fault asks for it',
    source: `${KINESIS}: at least once; on command, as AWS does it when it likes`,
  },
  withheld: {
    rule: 'A batch is held back as long as a fault asks for it, and no other shard is',
    source: `${KINESIS}: no promise of latency; on command`,
  },
} as const satisfies Rules;
