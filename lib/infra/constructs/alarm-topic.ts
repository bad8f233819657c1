import { Aws } from 'aws-cdk-lib';
import { Effect, PolicyStatement, ServicePrincipal, StarPrincipal } from 'aws-cdk-lib/aws-iam';
import { CfnSubscription, Topic, TopicPolicy } from 'aws-cdk-lib/aws-sns';
import { Construct } from 'constructs';

export interface AlarmTopicProps {
  readonly topicName: string;
  /** Is asked by AWS to confirm, once. */
  readonly email?: string | undefined;
}

/** Where a stage's alarms are heard. Only CloudWatch of the same account speaks, and over TLS. */
export class AlarmTopic extends Construct {
  constructor(scope: Construct, id: string, props: AlarmTopicProps) {
    super(scope, id);
    const topic = new Topic(this, 'Topic', { topicName: props.topicName });
    const publish = { actions: ['sns:Publish'], resources: [topic.topicArn] };
    const policy = new TopicPolicy(this, 'Policy', { topics: [topic] });
    policy.document.addStatements(
      new PolicyStatement({
        ...publish,
        principals: [new ServicePrincipal('cloudwatch.amazonaws.com')],
        conditions: { StringEquals: { 'aws:SourceAccount': Aws.ACCOUNT_ID } },
      }),
      new PolicyStatement({
        ...publish,
        effect: Effect.DENY,
        principals: [new StarPrincipal()],
        conditions: { Bool: { 'aws:SecureTransport': 'false' } },
      }),
    );
    if (props.email !== undefined) {
      new CfnSubscription(this, 'Email', {
        topicArn: topic.topicArn,
        protocol: 'email',
        endpoint: props.email,
      });
    }
  }
}
