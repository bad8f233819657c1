/** The policies of AWS's own that functions are usually given. */

const allow = (...actions: readonly string[]) => ({
  Version: '2012-10-17',
  Statement: [{ Effect: 'Allow', Action: actions, Resource: '*' }],
});

const WRITE_LOGS = ['logs:CreateLogGroup', 'logs:CreateLogStream', 'logs:PutLogEvents'];

/**
 * Policy documents by what their ARN ends with.
 *
 * @source AWS Managed Policy Reference, AWSLambdaBasicExecutionRole v1, AWSLambdaKinesisExecutionRole v3.
 */
export const AWS_MANAGED_POLICIES: Readonly<Record<string, object>> = {
  'service-role/AWSLambdaBasicExecutionRole': allow(...WRITE_LOGS),
  'service-role/AWSLambdaKinesisExecutionRole': allow(
    'kinesis:DescribeStream',
    'kinesis:DescribeStreamSummary',
    'kinesis:GetRecords',
    'kinesis:GetShardIterator',
    'kinesis:ListShards',
    'kinesis:ListStreams',
    'kinesis:SubscribeToShard',
    ...WRITE_LOGS,
  ),
};
