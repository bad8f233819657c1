/** What CloudFormation made of an app's stacks, and what of it there is. */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { AwsClient } from 'aws4fetch';
import type { Deployment } from '#test/clouds/cloud';

export interface DeployedResource {
  readonly type: string;
  /** The name, or id, that the service itself knows it by. */
  readonly id: string;
  /** The template keeps it when its stack is deleted. */
  readonly retained: boolean;
}

/** A request that answers 200 when there is such a resource, and then says its name. */
interface Question {
  readonly service: string;
  readonly method?: 'GET' | 'HEAD';
  readonly path?: string;
  readonly target?: string;
  readonly body?: string;
}

const json = (service: string, target: string, input: object): Question => ({
  service,
  target,
  body: JSON.stringify(input),
});
const get = (service: string, path: string): Question => ({ service, method: 'GET', path });

const QUESTIONS: Readonly<Record<string, (id: string) => Question>> = {
  'AWS::Kinesis::Stream': (id) =>
    json('kinesis', 'Kinesis_20131202.DescribeStreamSummary', { StreamName: id }),
  'AWS::DynamoDB::Table': (id) =>
    json('dynamodb', 'DynamoDB_20120810.DescribeTable', { TableName: id }),
  'AWS::S3::Bucket': (id) => ({ service: 's3', method: 'HEAD', path: `/${id}` }),
  'AWS::S3::BucketPolicy': (id) => get('s3', `/${id}?policy`),
  'AWS::SecretsManager::Secret': (id) =>
    json('secretsmanager', 'secretsmanager.DescribeSecret', { SecretId: id }),
  'AWS::Logs::LogGroup': (id) =>
    json('logs', 'Logs_20140328.DescribeLogStreams', { logGroupName: id }),
  'AWS::Lambda::Function': (id) => get('lambda', `/2015-03-31/functions/${id}`),
  'AWS::Lambda::EventInvokeConfig': (id) =>
    get('lambda', `/2019-09-25/functions/${id}/event-invoke-config`),
  'AWS::Lambda::EventSourceMapping': (id) =>
    get('lambda', `/2015-03-31/event-source-mappings/${id}`),
  'AWS::Scheduler::ScheduleGroup': (id) => get('scheduler', `/schedule-groups/${id}`),
  // A poll's group has the pipeline's name.
  'AWS::Scheduler::Schedule': (id) =>
    get('scheduler', `/schedules/${id}?groupName=${/^(.+)-poll$/.exec(id)?.[1] ?? 'default'}`),
  'AWS::SNS::Topic': (id) =>
    query('sns', '2010-03-31', { Action: 'GetTopicAttributes', TopicArn: id }),
  'AWS::CloudWatch::Alarm': (id) =>
    query('monitoring', '2010-08-01', { Action: 'DescribeAlarms', 'AlarmNames.member.1': id }),
  'AWS::IAM::Role': (id) => query('iam', '2010-05-08', { Action: 'GetRole', RoleName: id }),
};

function query(service: string, version: string, input: Record<string, string>): Question {
  return { service, body: new URLSearchParams({ ...input, Version: version }).toString() };
}

function ask(endpoint: string, question: Question): Promise<Response> {
  const { service, method = 'POST', path = '/', target, body } = question;
  const client = new AwsClient({
    accessKeyId: 'test',
    secretAccessKey: 'test',
    region: 'us-east-1',
    service,
    retries: 0,
  });
  const type =
    target === undefined ? 'application/x-www-form-urlencoded' : 'application/x-amz-json-1.1';
  return client.fetch(endpoint + path, {
    method,
    headers: { 'content-type': type, ...(target && { 'x-amz-target': target }) },
    ...(body === undefined ? {} : { body }),
  });
}

/** Those that there are, as each one's own service says. */
export async function resourcesThere(
  endpoint: string,
  resources: readonly DeployedResource[],
): Promise<readonly DeployedResource[]> {
  const answers = await Promise.all(
    resources.map(async ({ type, id }) => {
      const question = QUESTIONS[type];
      if (question === undefined) throw new Error(`No question is known for a ${type}.`);
      const answer = await ask(endpoint, question(id));
      const said = await answer.text();
      // A list of none is no error either.
      return answer.ok && (type !== 'AWS::CloudWatch::Alarm' || said.includes(id));
    }),
  );
  return resources.filter((_, at) => answers[at]);
}

interface Template {
  readonly Resources: Readonly<Record<string, TemplateResource>>;
}

interface TemplateResource {
  readonly DeletionPolicy?: string;
  readonly Properties: Readonly<Record<string, { readonly Ref?: string }>>;
}

/** These are settings of another resource: where one names it, by type. */
const OWNER: Readonly<Record<string, string>> = {
  'AWS::S3::BucketPolicy': 'Bucket',
  'AWS::Lambda::EventInvokeConfig': 'FunctionName',
};
/** LocalStack keeps nothing of a dashboard; a topic's policy goes with its topic. */
const UNASKED = ['AWS::CloudWatch::Dashboard', 'AWS::SNS::TopicPolicy'];
const TEMPLATE_END = '.template.json';

/** Every resource of every stack of `cdkOut`, as CloudFormation lists it. */
export async function deployedResources(
  deployment: Pick<Deployment, 'cdkOut' | 'endpoint'>,
): Promise<readonly DeployedResource[]> {
  const files = readdirSync(deployment.cdkOut).filter((file) => file.endsWith(TEMPLATE_END));
  const stacks = files.map((file) => file.slice(0, -TEMPLATE_END.length));
  const all = await Promise.all(stacks.map((stack) => resourcesOf(stack, deployment)));
  return all.flat().filter(({ type }) => !UNASKED.includes(type));
}

async function resourcesOf(
  stack: string,
  { cdkOut, endpoint }: Pick<Deployment, 'cdkOut' | 'endpoint'>,
): Promise<readonly DeployedResource[]> {
  const template = readFileSync(join(cdkOut, stack + TEMPLATE_END), 'utf8');
  const { Resources } = JSON.parse(template) as Template;
  const input = { Action: 'DescribeStackResources', StackName: stack };
  const answer = await ask(endpoint, query('cloudformation', '2010-05-15', input));
  const members = (await answer.text()).match(/<member>.*?<\/member>/gs) ?? [];
  const ids = new Map(
    members.map((xml) => [element(xml, 'LogicalResourceId'), element(xml, 'PhysicalResourceId')]),
  );
  return members.map((xml) => {
    const logicalId = element(xml, 'LogicalResourceId');
    const type = element(xml, 'ResourceType');
    const { DeletionPolicy, Properties } = Resources[logicalId] ?? { Properties: {} };
    const known = Properties[OWNER[type] ?? '']?.Ref ?? logicalId;
    return { type, id: ids.get(known) ?? '', retained: DeletionPolicy === 'Retain' };
  });
}

function element(xml: string, name: string): string {
  return new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml)?.[1] ?? '';
}
