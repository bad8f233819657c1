/** Types that are accepted whatever they say, and for which nothing is made. */
import { arn } from './arns.ts';
import { named } from './resource-type.ts';
import type { ResourceType } from './resource-type.ts';

const nameOnly: ResourceType['identify'] = (name) => ({ ref: name, attributes: { Id: name } });

export const INERT_TYPES: Readonly<Record<string, ResourceType>> = {
  'AWS::Scheduler::ScheduleGroup': inert(
    named((name) => arn('scheduler', `schedule-group/${name}`)),
    'Name',
  ),
  'AWS::S3::BucketPolicy': inert(nameOnly),
  'AWS::Logs::LogGroup': inert(
    named((name) => arn('logs', `log-group:${name}:*`)),
    'LogGroupName',
  ),
  'AWS::Logs::MetricFilter': inert(nameOnly),
  'AWS::CDK::Metadata': inert(nameOnly),
  // CDK's own: how long logs are kept, and what becomes of objects when a stack is deleted.
  'Custom::LogRetention': inert((name) => ({ ref: name, attributes: { LogGroupName: name } })),
  'Custom::S3AutoDeleteObjects': inert(nameOnly),
  'AWS::Lambda::Permission': inert(nameOnly),
  'AWS::KMS::Key': inert((name) => ({
    ref: name,
    attributes: { Arn: arn('kms', `key/${name}`), KeyId: name },
  })),
  'AWS::KMS::Alias': inert(
    named((name) => arn('kms', name)),
    'AliasName',
  ),
  'AWS::CloudWatch::CompositeAlarm': inert(
    named((name) => arn('cloudwatch', `alarm:${name}`)),
    'AlarmName',
  ),
  'AWS::CloudWatch::Dashboard': inert(nameOnly, 'DashboardName'),
  'AWS::SNS::Topic': inert((name) => {
    const topicArn = arn('sns', name);
    return { ref: topicArn, attributes: { TopicArn: topicArn, TopicName: name } };
  }, 'TopicName'),
  'AWS::SQS::QueuePolicy': inert(nameOnly),
  'AWS::SNS::TopicPolicy': inert(nameOnly),
  'AWS::SNS::Subscription': inert(named((name) => name)),
};

function inert(identify: ResourceType['identify'], nameProperty?: string): ResourceType {
  return {
    implemented: [],
    inert: [],
    nothingLocally: true,
    identify,
    ...(nameProperty === undefined ? {} : { nameProperty }),
  };
}
