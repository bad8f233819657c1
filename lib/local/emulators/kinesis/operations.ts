/** Who answers which operation. */
import type { JsonInput } from '#local/aws-json';
import {
  deregisterStreamConsumer,
  describeStreamConsumer,
  listStreamConsumers,
  registerStreamConsumer,
} from './consumers.ts';
import { createStream, deleteStream, updateMaxRecordSize } from './control.ts';
import { describeLimits, describeStream, describeStreamSummary, listStreams } from './describe.ts';
import { listShards } from './list-shards.ts';
import type { OperationName } from './operation-inputs.ts';
import { putRecord, putRecords } from './put-records.ts';
import { getRecords, getShardIterator } from './read-records.ts';
import { mergeShards, splitShard, updateShardCount } from './reshard.ts';
import { decreaseRetention, increaseRetention } from './retention.ts';
import type { KinesisState } from './state.ts';
import {
  disableEnhancedMonitoring,
  enableEnhancedMonitoring,
  startStreamEncryption,
  stopStreamEncryption,
  updateStreamMode,
} from './stream-modes.ts';
import {
  addTagsToStream,
  listTagsForResource,
  listTagsForStream,
  removeTagsFromStream,
  tagResource,
  untagResource,
} from './tags.ts';

/** Takes a request that was checked against its table. */
type Operation = (state: KinesisState, input: JsonInput) => object;

export const OPERATIONS: Readonly<Record<OperationName, Operation>> = {
  AddTagsToStream: addTagsToStream,
  CreateStream: createStream,
  DecreaseStreamRetentionPeriod: decreaseRetention,
  DeleteStream: deleteStream,
  DeregisterStreamConsumer: deregisterStreamConsumer,
  DescribeLimits: describeLimits,
  DescribeStream: describeStream,
  DescribeStreamConsumer: describeStreamConsumer,
  DescribeStreamSummary: describeStreamSummary,
  DisableEnhancedMonitoring: disableEnhancedMonitoring,
  EnableEnhancedMonitoring: enableEnhancedMonitoring,
  GetRecords: getRecords,
  GetShardIterator: getShardIterator,
  IncreaseStreamRetentionPeriod: increaseRetention,
  ListShards: listShards,
  ListStreamConsumers: listStreamConsumers,
  ListStreams: listStreams,
  ListTagsForResource: listTagsForResource,
  ListTagsForStream: listTagsForStream,
  MergeShards: mergeShards,
  PutRecord: putRecord,
  PutRecords: putRecords,
  RegisterStreamConsumer: registerStreamConsumer,
  RemoveTagsFromStream: removeTagsFromStream,
  SplitShard: splitShard,
  StartStreamEncryption: startStreamEncryption,
  StopStreamEncryption: stopStreamEncryption,
  TagResource: tagResource,
  UntagResource: untagResource,
  UpdateMaxRecordSize: updateMaxRecordSize,
  UpdateShardCount: updateShardCount,
  UpdateStreamMode: updateStreamMode,
};
