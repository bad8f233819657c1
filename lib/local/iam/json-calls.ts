/** What a request of the JSON protocols needs to be allowed. */
import type { JsonInput } from '#local/aws-json';
import { streamNameIn } from '#local/emulators/kinesis/iterator';
import { arn } from '#local/template/arns';
import type { Call } from './decide.ts';
import type { ResourceFacts } from './resource-facts.ts';
import { tableCalls } from './table-calls.ts';

type CallsNeeded = (operation: string, input: JsonInput, facts: ResourceFacts) => readonly Call[];

/** On no resource that the request names: only a statement about `*` allows it. */
const ANY = '*';

/**
 * By what stands before the dot of `x-amz-target`.
 *
 * @source Service Authorization Reference: Kinesis Data Streams, DynamoDB, SQS, Secrets Manager (2026-10).
 */
export const JSON_CALLS: Readonly<Record<string, CallsNeeded>> = {
  Kinesis_20131202: streamCalls,
  DynamoDB_20120810: tableCalls,
  AmazonSQS(operation, { QueueUrl, QueueName }) {
    const name =
      String(QueueUrl ?? QueueName ?? ANY)
        .split('/')
        .at(-1) ?? ANY;
    const resource = name === ANY ? ANY : arn('sqs', name);
    return [{ action: `sqs:${QUEUE_ACTIONS[operation] ?? operation}`, resource }];
  },
  secretsmanager(operation, { SecretId, SecretIdList }, facts) {
    if (Array.isArray(SecretIdList)) {
      // Each of them is got, and the batch is of none.
      const get = 'secretsmanager:GetSecretValue';
      const each = SecretIdList.map((id) => ({
        action: get,
        resource: facts.secretArn(String(id)),
      }));
      return [{ action: `secretsmanager:${operation}`, resource: ANY }, ...each];
    }
    const resource = SecretId === undefined ? ANY : facts.secretArn(String(SecretId));
    return [{ action: `secretsmanager:${operation}`, resource }];
  },
};

/** @source Service Authorization Reference, SQS: a batch needs what one message needs. */
const QUEUE_ACTIONS: Readonly<Record<string, string>> = {
  SendMessageBatch: 'SendMessage',
  DeleteMessageBatch: 'DeleteMessage',
  ChangeMessageVisibilityBatch: 'ChangeMessageVisibility',
};

function streamCalls(operation: string, input: JsonInput, facts: ResourceFacts): readonly Call[] {
  const { StreamARN, StreamName, ShardIterator } = input;
  const given = StreamARN === undefined ? undefined : String(StreamARN).split('/')[1];
  const name = given ?? (StreamName === undefined ? streamNameIn(ShardIterator) : StreamName);
  const action = `kinesis:${operation}`;
  if (name === undefined) return [{ action, resource: ANY }];
  const resource = StreamARN ?? arn('kinesis', `stream/${String(name)}`);
  const call = { action, resource: String(resource) };
  const key = facts.keyOfStream(String(name));
  const use = KEY_ACTIONS[operation];
  return key === undefined || use === undefined ? [call] : [call, { action: use, resource: key }];
}

/** @source Kinesis Developer Guide, "Permissions to use user-generated KMS keys". */
const KEY_ACTIONS: Readonly<Record<string, string>> = {
  PutRecord: 'kms:GenerateDataKey',
  PutRecords: 'kms:GenerateDataKey',
  GetRecords: 'kms:Decrypt',
};
