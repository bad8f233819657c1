import { expect, onTestFinished, test } from 'vitest';
import { startCloud } from '#local/cloud';
import { roleThatMay, withoutTicks, writeSmallApp } from '#test/local/cloud-fixture';

const SEND = `
export const handler = async (event) => {
  if (event.fails) throw new TypeError('no luck');
  await fetch(process.env.QUEUE_URL, {
    method: 'POST',
    headers: { 'x-amz-target': 'AmazonSQS.SendMessage', 'content-type': 'application/x-amz-json-1.0' },
    body: JSON.stringify({ QueueUrl: process.env.QUEUE_URL, MessageBody: 'sent' }),
  });
  return process.env.QUEUE_URL;
};`;

/** The small app, whose poll function sends to a queue, and has its failures and dead letters sent. */
function queueApp(): string {
  const run = withoutTicks();
  const { Poll } = run.Resources!;
  const queue = (QueueName: string) => ({ Type: 'AWS::SQS::Queue', Properties: { QueueName } });
  const arnOf = (name: string) => ({ 'Fn::GetAtt': [name, 'Arn'] });
  const Resources = {
    ...run.Resources,
    Role: roleThatMay('logs:*', 'kinesis:*', 's3:*', 'sqs:SendMessage'),
    Jobs: queue('jobs'),
    Failed: queue('failed'),
    Dead: queue('dead'),
    Poll: {
      ...Poll!,
      Properties: {
        ...Poll!.Properties,
        Environment: { Variables: { QUEUE_URL: { Ref: 'Jobs' } } },
        DeadLetterConfig: { TargetArn: arnOf('Dead') },
      },
    },
    Config: {
      Type: 'AWS::Lambda::EventInvokeConfig',
      Properties: {
        FunctionName: { Ref: 'Poll' },
        Qualifier: '$LATEST',
        MaximumRetryAttempts: 0,
        DestinationConfig: { OnFailure: { Destination: arnOf('Failed') } },
      },
    },
  };
  return writeSmallApp({ run: { ...run, Resources }, poll: SEND });
}

test('a queue takes what a function sends to its URL, what failed of it, and its dead letters', async () => {
  const parameters = { OrdersApiUrl: 'http://127.0.0.1:9/orders' };
  const cloud = await startCloud({ cdkOut: queueApp(), parameters });
  onTestFinished(() => cloud.stop());
  const receive = async (name: string) => {
    const answer = await fetch(cloud.endpoint, {
      method: 'POST',
      headers: { 'x-amz-target': 'AmazonSQS.ReceiveMessage' },
      body: JSON.stringify({ QueueUrl: name, WaitTimeSeconds: 20 }),
    });
    const { Messages } = (await answer.json()) as { Messages: { Body: string }[] };
    return Messages.map(({ Body }) => Body);
  };
  expect(await cloud.invoke('poll', '{}')).toMatchObject({
    payload: JSON.stringify(`${cloud.endpoint}/000000000000/jobs`),
  });
  expect(await receive('jobs')).toEqual(['sent']);
  await fetch(`${cloud.endpoint}/2015-03-31/functions/poll/invocations`, {
    method: 'POST',
    body: '{"fails":true}',
    headers: { 'x-amz-invocation-type': 'Event' },
  });
  const [record = ''] = await receive('failed');
  expect(JSON.parse(record)).toMatchObject({
    requestContext: { condition: 'RetriesExhausted' },
    requestPayload: { fails: true },
    responsePayload: { errorType: 'TypeError', errorMessage: 'no luck' },
  });
  expect(await receive('dead')).toEqual(['{"fails":true}']);
});
