import { Match } from 'aws-cdk-lib/assertions';
import type { Template } from 'aws-cdk-lib/assertions';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ticketsInput } from '#test/config/pipeline-input';
import { only, removeTemporary, synthesize } from '#test/infra/synthesize';

afterAll(removeTemporary);

const sharedOf = async (alarmEmail?: string): Promise<Template> =>
  (await synthesize([ticketsInput()], { alarmEmail })).template('penstock-test-shared');

let shared: Template;
beforeAll(async () => {
  shared = await sharedOf();
});

describe("the alarms' topic", () => {
  test('has the name that every alarm speaks to', () => {
    expect(only(shared, 'AWS::SNS::Topic')['TopicName']).toBe('penstock-test-alarms');
  });

  test("is spoken to by the account's own CloudWatch, and by no one without TLS", () => {
    const topic = { Ref: Match.stringLikeRegexp('^Alarms') };
    shared.hasResourceProperties('AWS::SNS::TopicPolicy', {
      PolicyDocument: {
        Statement: [
          {
            Effect: 'Allow',
            Action: 'sns:Publish',
            Principal: { Service: 'cloudwatch.amazonaws.com' },
            Condition: { StringEquals: { 'aws:SourceAccount': { Ref: 'AWS::AccountId' } } },
            Resource: topic,
          },
          {
            Effect: 'Deny',
            Action: 'sns:Publish',
            Principal: '*',
            Condition: { Bool: { 'aws:SecureTransport': 'false' } },
            Resource: topic,
          },
        ],
      },
    });
  });

  test('is heard by an address only where one is given', async () => {
    shared.resourceCountIs('AWS::SNS::Subscription', 0);
    expect(only(await sharedOf('ops@example.com'), 'AWS::SNS::Subscription')).toMatchObject({
      Protocol: 'email',
      Endpoint: 'ops@example.com',
    });
  });
});
