/** Rules of Kinesis: shards. */
import type { Rules } from './rule.ts';

export const SHARD_RULES = {
  'list-page': {
    rule: 'ListShards gives 1,000 shards a page at most, however many are asked for',
    limit: '1,000 shards',
    source: 'Kinesis API 2013-12-02, ListShards',
  },
  'list-token-alone': {
    rule: 'a next token of ListShards goes alone, without the stream [CONS-16]',
    source: 'Kinesis API 2013-12-02, ListShards',
  },
  'list-token-ttl': {
    rule: 'a next token expires after five minutes',
    limit: '300 s',
    source: 'Kinesis API 2013-12-02, ListShards',
  },
  'list-token-foreign': {
    rule: 'what is no next token is refused',
    source: 'Kinesis API 2013-12-02, ListShards',
  },
  'list-start': {
    rule: 'ExclusiveStartShardId lists what follows that shard',
    source: 'Kinesis API 2013-12-02, ListShards',
  },
  'list-creation': {
    rule: 'StreamCreationTimestamp finds the stream only if it was created then',
    source: 'Kinesis API 2013-12-02, ListShards',
  },
  'list-unready': {
    rule: 'the shards of a stream that is being created or deleted are not listed',
    source: 'Kinesis API 2013-12-02, ListShards, ResourceInUseException',
  },
  'filter-latest': {
    rule: 'AT_LATEST lists the open shards',
    source: 'Kinesis API 2013-12-02, ShardFilter',
  },
  'filter-trim-horizon': {
    rule: 'AT_TRIM_HORIZON lists the shards whose parents are gone, FROM_TRIM_HORIZON all that are kept',
    source: 'Kinesis API 2013-12-02, ShardFilter',
  },
  'filter-timestamp': {
    rule: 'AT_TIMESTAMP lists the shards that were open then',
    source: 'Kinesis API 2013-12-02, ShardFilter',
  },
  'filter-from-timestamp': {
    rule: 'FROM_TIMESTAMP lists the open shards and those closed then or later',
    source: 'Kinesis API 2013-12-02, ShardFilter',
  },
  'filter-after-id': {
    rule: 'AFTER_SHARD_ID lists the shards that follow one',
    source: 'Kinesis API 2013-12-02, ShardFilter',
  },
  'filter-members': {
    rule: 'each type of filter takes its own member and no other',
    source: 'Kinesis API 2013-12-02, ShardFilter',
  },
  'filter-paged': {
    rule: 'a next token keeps the filter of its first request, and the page is asked for anew',
    source: 'Kinesis API 2013-12-02, ListShards',
  },
  'shard-expires': {
    rule: 'a closed shard is gone when the retention has passed',
    source:
      'Kinesis Developer Guide, "Data routing, data persistence, and shard state after a reshard"',
  },
  'describe-page': {
    rule: 'DescribeStream gives 100 shards at most, and says whether there are more',
    limit: '100 shards',
    source: 'Kinesis API 2013-12-02, DescribeStream',
  },
  split: {
    rule: 'a split closes the parent and gives its ring to two children',
    source: 'Kinesis API 2013-12-02, SplitShard',
  },
  'split-bounds': {
    rule: "a split key lies above the shard's first key but one and below its last",
    source: 'kinesalite, test/splitShard.js, whose cases were asked of AWS',
  },
  'split-once': {
    rule: 'a shard that was split is not split again [LOCL-06]',
    source: 'Kinesis API 2013-12-02, SplitShard',
  },
  'child-numbers': {
    rule: "a child's first sequence number lies above its parent's last",
    source: 'kinesalite, test/splitShard.js, whose cases were asked of AWS',
  },
  merge: {
    rule: 'a merge of neighbours closes both and names both as parents',
    source: 'Kinesis API 2013-12-02, MergeShards',
  },
  'merge-adjacent': {
    rule: 'shards that do not touch are not merged, nor one that was merged before',
    source: 'Kinesis API 2013-12-02, MergeShards',
  },
  'merge-order': {
    rule: 'the shard to merge is the lower of the two',
    source: 'kinesalite, test/mergeShards.js, whose cases were asked of AWS',
  },
  scale: {
    rule: 'UpdateShardCount leaves equal ranges that cover the ring, by splits and merges',
    source: 'Kinesis API 2013-12-02, UpdateShardCount',
  },
  'scale-bounds': {
    rule: 'one UpdateShardCount goes at most to twice and at least to half of the open shards',
    limit: '×2, ÷2',
    source: 'Kinesis API 2013-12-02, UpdateShardCount',
  },
  'scale-daily': {
    rule: 'UpdateShardCount is taken ten times in 24 hours',
    limit: '10 in 24 h',
    source: 'Kinesis API 2013-12-02, UpdateShardCount',
  },
  'scale-max': {
    rule: 'a stream has 10,000 shards at most',
    limit: '10,000 shards',
    source: 'Kinesis API 2013-12-02, UpdateShardCount',
  },
  'account-shards': {
    rule: 'the shards of an account are limited',
    limit: '20,000 shards',
    source: 'Kinesis Developer Guide, "Quotas and limits", of the larger Regions',
  },
  'on-demand-reshard': {
    rule: 'an on-demand stream is not split, merged or scaled by hand',
    source: 'Kinesis API 2013-12-02, UpdateShardCount',
  },
} as const satisfies Rules;
