/** Rules of Kinesis: streams. */
import type { Rules } from './rule.ts';

export const STREAM_RULES = {
  create: {
    rule: 'a stream of so many shards divides the ring equally, the last taking the rest',
    source: 'kinesalite, test/createStream.js, whose cases were asked of AWS',
  },
  'create-name': {
    rule: 'a stream name has 1 to 128 letters, digits, underscores, dots and hyphens',
    limit: '1–128 characters',
    source: 'Kinesis API 2013-12-02, CreateStream',
  },
  'create-once': {
    rule: 'a name that is taken is refused, also while its stream is being deleted',
    source: 'Kinesis API 2013-12-02, CreateStream',
  },
  'create-shard-count': {
    rule: 'a provisioned stream needs a shard count, an on-demand one has none and starts with four',
    limit: '4 shards',
    source: 'Kinesis API 2013-12-02, CreateStream',
  },
  'on-demand-fixed': {
    rule: 'an on-demand stream keeps its shards',
    source: 'AWS adds some within minutes of traffic; here nothing waits for that',
    isOurChoice: true,
  },
  'on-demand-count': {
    rule: 'an account has 50 on-demand streams at most',
    limit: '50 streams',
    source: 'Kinesis Developer Guide, "Quotas and limits"',
  },
  'status-creating': {
    rule: 'a stream created by the API is CREATING for a while: described without shards, and not found by writers',
    source: 'Kinesis API 2013-12-02, CreateStream',
  },
  'status-updating': {
    rule: 'a stream whose shards change is UPDATING for a while: read and written, and refusing other changes',
    source: 'Kinesis API 2013-12-02, SplitShard',
  },
  'status-deleting': {
    rule: 'a deleted stream is DELETING for a while, then gone; nothing of it is left for a later one of its name',
    source: 'Kinesis API 2013-12-02, DeleteStream',
  },
  'status-time': {
    rule: 'the work behind a status is done at once; the status shows for half a second',
    limit: '0.5 s',
    source:
      'AWS takes seconds to minutes; what a template creates is ACTIVE when it is deployed, as CloudFormation waits',
    isOurChoice: true,
  },
  'delete-consumers': {
    rule: 'a stream with registered consumers is deleted only with EnforceConsumerDeletion',
    source: 'Kinesis API 2013-12-02, DeleteStream',
  },
  retention: {
    rule: 'retention is 24 to 8,760 hours; each way has its own call, which refuses the other',
    limit: '24–8,760 h',
    source: 'Kinesis API 2013-12-02, IncreaseStreamRetentionPeriod',
  },
  'retention-no-return': {
    rule: 'what a retention has hidden does not come back with a longer one',
    source: 'Kinesis API 2013-12-02, IncreaseStreamRetentionPeriod',
  },
  'record-size': {
    rule: 'a larger record size holds from the next put on',
    source: 'Kinesis API 2013-12-02, UpdateMaxRecordSize',
  },
  summary: {
    rule: 'a summary tells of status, mode, retention, record size, open shards and consumers',
    source: 'Kinesis API 2013-12-02, DescribeStreamSummary',
  },
  'list-streams': {
    rule: 'streams are listed in the order of their names, in pages that a next token or a name continues',
    limit: '100 streams',
    source: 'Kinesis API 2013-12-02, ListStreams',
  },
  limits: {
    rule: 'DescribeLimits counts the open shards and the on-demand streams of the account',
    source: 'Kinesis API 2013-12-02, DescribeLimits',
  },
  mode: {
    rule: 'the mode of a stream changes twice in 24 hours',
    limit: '2 in 24 h',
    source: 'Kinesis Developer Guide, "Quotas and limits"',
  },
  encryption: {
    rule: 'encryption is told in every answer once it is started, and no more once it is stopped',
    source: 'Kinesis API 2013-12-02, StartStreamEncryption',
  },
  'encryption-none': {
    rule: 'nothing is encrypted, and any key is taken',
    source: 'there is no KMS in the local cloud',
    isOurChoice: true,
  },
  monitoring: {
    rule: 'shard-level metrics are switched on and off, and told before and after',
    source: 'Kinesis API 2013-12-02, EnableEnhancedMonitoring',
  },
  'monitoring-none': {
    rule: 'no shard-level metric is measured',
    source: 'no alarm of the product reads one',
    isOurChoice: true,
  },
  tags: {
    rule: 'tags of a stream are added, replaced, listed in pages by their keys, and removed',
    limit: '50 a page',
    source: 'Kinesis API 2013-12-02, ListTagsForStream',
  },
  'tags-max': {
    rule: 'a resource has 50 tags at most',
    limit: '50 tags',
    source: 'Kinesis Developer Guide, "Tag your resources"',
  },
  'tags-form': {
    rule: 'a tag key has 1 to 128 characters and does not begin with aws:, a value 256 at most, of letters, digits, space and _ . : / = + - @',
    limit: '128, 256 characters',
    source: 'Kinesis Developer Guide, "Tag your resources"',
  },
  'tags-resource': {
    rule: 'TagResource, UntagResource and ListTagsForResource do the same by ARN, of streams and of consumers',
    source: 'Kinesis API 2013-12-02, TagResource',
  },
  consumers: {
    rule: 'a consumer is registered once, described by name or ARN, listed in pages, and deregistered',
    source: 'Kinesis API 2013-12-02, RegisterStreamConsumer',
  },
  'consumers-max': {
    rule: 'a stream has 20 consumers at most, and five that are being created',
    limit: '20 consumers; 5 CREATING',
    source: 'Kinesis API 2013-12-02, RegisterStreamConsumer',
  },
  subscribe: {
    rule: 'SubscribeToShard is refused',
    source: 'enhanced fan-out is not part of the local cloud: GetRecords reads every shard',
    isOurChoice: true,
  },
} as const satisfies Rules;
