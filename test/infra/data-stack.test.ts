import { Match } from 'aws-cdk-lib/assertions';
import type { Template } from 'aws-cdk-lib/assertions';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ticketsInput } from '#test/config/pipeline-input';
import { only, removeTemporary, synthesize } from '#test/infra/synthesize';

afterAll(removeTemporary);

const dataOf = async (stream?: object): Promise<Template> => {
  const input = ticketsInput();
  const changed = { ...input, stream: { ...input.stream, ...stream } };
  return (await synthesize([changed])).template('penstock-test-tickets-data');
};

let data: Template;
beforeAll(async () => {
  data = await dataOf();
});

describe('the stream', () => {
  test('has the shards that its load asks for', () => {
    // 2,400 records/s × 900 B × 1.5 are 3.09 MiB/s and 3,600 records/s.
    const { Tags: _, ...stream } = only(data, 'AWS::Kinesis::Stream');
    expect(stream).toEqual({
      Name: 'penstock-test-tickets',
      ShardCount: 4,
      StreamModeDetails: { StreamMode: 'PROVISIONED' },
      RetentionPeriodHours: 96,
      StreamEncryption: { EncryptionType: 'KMS', KeyId: 'alias/aws/kinesis' },
    });
  });

  test('CDK-01: on demand it has no shard count', async () => {
    const stream = only(await dataOf({ load: { onDemand: true } }), 'AWS::Kinesis::Stream');
    expect(stream['StreamModeDetails']).toEqual({ StreamMode: 'ON_DEMAND' });
    expect(stream).not.toHaveProperty('ShardCount');
  });

  test('counts every consumer as a reader', async () => {
    const input = ticketsInput();
    const consumers = ['a', 'b', 'c', 'd'].map((name) => ({ ...input.consumers[0]!, name }));
    const { template } = await synthesize([{ ...input, consumers }]);
    // 3.09 MiB/s read four times, of 2 MiB/s a shard.
    const stream = only(template('penstock-test-tickets-data'), 'AWS::Kinesis::Stream');
    expect(stream['ShardCount']).toBe(7);
  });

  test('takes larger records and a key of its own where the file says so', async () => {
    const kmsKeyArn = 'arn:aws:kms:eu-west-1:111122223333:key/1234abcd';
    const stream = only(
      await dataOf({ recordBytesMax: 2_097_152, kmsKeyArn }),
      'AWS::Kinesis::Stream',
    );
    expect(stream['MaxRecordSizeInKiB']).toBe(2_048);
    expect(stream['StreamEncryption']).toEqual({ EncryptionType: 'KMS', KeyId: kmsKeyArn });
  });
});

test('a table is keyed by the last segment of the key, paid by request and restorable', () => {
  const { Tags: _, ...table } = only(data, 'AWS::DynamoDB::Table');
  expect(table).toEqual({
    TableName: 'penstock-test-tickets-board',
    KeySchema: [{ AttributeName: 'ticket_id', KeyType: 'HASH' }],
    AttributeDefinitions: [{ AttributeName: 'ticket_id', AttributeType: 'S' }],
    BillingMode: 'PAY_PER_REQUEST',
    TimeToLiveSpecification: { AttributeName: '_expires', Enabled: true },
    PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
    DeletionProtectionEnabled: true,
  });
});

describe('the quarantine bucket', () => {
  test('is private and forgets before any tombstone does', () => {
    const bucket = only(data, 'AWS::S3::Bucket');
    expect(bucket['PublicAccessBlockConfiguration']).toEqual({
      BlockPublicAcls: true,
      BlockPublicPolicy: true,
      IgnorePublicAcls: true,
      RestrictPublicBuckets: true,
    });
    expect(bucket['LifecycleConfiguration']).toMatchObject({
      Rules: [{ ExpirationInDays: 19, Status: 'Enabled' }],
    });
    const [consumer] = ticketsInput().consumers;
    expect(consumer).toHaveProperty('tombstoneDays', 40);
    expect(19).toBeLessThan(40);
  });

  test('has a name that is free in every account and region', () => {
    expect(only(data, 'AWS::S3::Bucket')['BucketName']).toEqual({
      'Fn::Join': [
        '',
        ['penstock-test-tickets-refused-', { Ref: 'AWS::AccountId' }, '-', { Ref: 'AWS::Region' }],
      ],
    });
  });

  test('refuses whoever does not use TLS', () => {
    data.hasResourceProperties('AWS::S3::BucketPolicy', {
      PolicyDocument: {
        Statement: [
          Match.objectLike({
            Effect: 'Deny',
            Principal: { AWS: '*' },
            Action: 's3:*',
            Condition: { Bool: { 'aws:SecureTransport': 'false' } },
          }),
        ],
      },
    });
  });
});

test('the secret is empty: no template holds or makes its value', () => {
  const secret = only(data, 'AWS::SecretsManager::Secret');
  expect(Object.keys(secret).sort()).toEqual(['Description', 'Name', 'Tags']);
  expect(secret['Name']).toBe('penstock/test/tickets-token');
});

test('a source without credentials has no secret', async () => {
  const input = ticketsInput();
  const open = { ...input, source: { ...input.source, auth: { kind: 'none' as const } } };
  const { template } = await synthesize([open]);
  template('penstock-test-tickets-data').resourceCountIs('AWS::SecretsManager::Secret', 0);
});

test('the state table has two keys and lets go of what has expired', async () => {
  const { template } = await synthesize([ticketsInput()]);
  expect(only(template('penstock-test-shared'), 'AWS::DynamoDB::Table')).toMatchObject({
    TableName: 'penstock-test-state',
    KeySchema: [
      { AttributeName: 'pk', KeyType: 'HASH' },
      { AttributeName: 'sk', KeyType: 'RANGE' },
    ],
    TimeToLiveSpecification: { AttributeName: 'expires', Enabled: true },
  });
});
