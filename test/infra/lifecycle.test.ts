/** What stays and what goes: data, names and tags over deployments, renames and teardown. */
import type { Template } from 'aws-cdk-lib/assertions';
import { afterAll, describe, expect, test } from 'vitest';
import { ticketsInput } from '#test/config/pipeline-input';
import { only, removeTemporary, synthesize } from '#test/infra/synthesize';
import type { Synthesized } from '#test/infra/synthesize';

afterAll(removeTemporary);

interface Resource {
  readonly Type: string;
  readonly DeletionPolicy?: string;
  readonly UpdateReplacePolicy?: string;
  readonly Properties: Readonly<Record<string, never>>;
}

const SHARED = 'penstock-test-shared';
const DATA = 'penstock-test-tickets-data';
const RUN = 'penstock-test-tickets-run';

const HOLDS_DATA = [
  'AWS::DynamoDB::Table',
  'AWS::DynamoDB::Table',
  'AWS::Kinesis::Stream',
  'AWS::S3::Bucket',
  'AWS::S3::BucketPolicy',
  'AWS::SecretsManager::Secret',
];

const resourcesOf = (template: Template): readonly Resource[] =>
  Object.values(template.toJSON()['Resources']);

const everyResource = ({ stacks, template }: Synthesized) =>
  stacks.flatMap((stack) => resourcesOf(template(stack)));

/** What becomes of each, sorted by type. */
const fates = ({ template }: Synthesized) =>
  [SHARED, DATA]
    .flatMap((stack) => resourcesOf(template(stack)))
    .filter(({ Type }) => HOLDS_DATA.includes(Type))
    .map(({ Type, DeletionPolicy, UpdateReplacePolicy }) => [
      Type,
      DeletionPolicy ?? 'Delete',
      UpdateReplacePolicy ?? 'Delete',
    ])
    .sort();

describe('by default', () => {
  test('everything that holds data outlives its stack, and a rename', async () => {
    expect(fates(await synthesize([ticketsInput()]))).toEqual(
      HOLDS_DATA.map((type) => [type, 'Retain', 'Retain']),
    );
  });

  test('no table is deleted by mistake, and each can be restored to any second', async () => {
    const { template } = await synthesize([ticketsInput()]);
    for (const stack of [SHARED, DATA]) {
      expect(only(template(stack), 'AWS::DynamoDB::Table')).toMatchObject({
        DeletionProtectionEnabled: true,
        PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
        TimeToLiveSpecification: { Enabled: true },
      });
    }
  });

  test('what only runs holds no data, and goes with its stack', async () => {
    const run = resourcesOf((await synthesize([ticketsInput()])).template(RUN));
    expect(run.filter(({ DeletionPolicy }) => DeletionPolicy === 'Retain')).toEqual([]);
    expect(run.filter(({ Type }) => HOLDS_DATA.includes(Type))).toEqual([]);
  });
});

describe('thrown away', () => {
  test('data goes with its stack, and tables can be deleted', async () => {
    const thrown = await synthesize([ticketsInput()], { throwAway: true });
    expect(fates(thrown)).toEqual(HOLDS_DATA.map((type) => [type, 'Delete', 'Delete']));
    for (const stack of [SHARED, DATA]) {
      const table = only(thrown.template(stack), 'AWS::DynamoDB::Table');
      expect(table['DeletionProtectionEnabled']).toBe(false);
    }
  });

  test('no bucket is emptied behind anyone’s back', async () => {
    const thrown = await synthesize([ticketsInput()], { throwAway: true });
    const types = everyResource(thrown).map(({ Type }) => Type);
    expect(types.filter((type) => type.startsWith('Custom::'))).toEqual([]);
  });
});

test('a pipeline deployed again has the very names of what was kept', async () => {
  const named = async (input: ReturnType<typeof ticketsInput>) =>
    physicalNames(await synthesize([input]));
  const changed = ticketsInput({ schedule: { everyMinutes: 9 }, quarantine: { keptDays: 8 } });
  expect(await named(changed)).toEqual(await named(ticketsInput()));
});

test('a renamed pipeline shares nothing with the old one, whose data stays', async () => {
  const input = ticketsInput();
  const before = physicalNames(await synthesize([input]));
  const after = physicalNames(await synthesize([{ ...input, name: 'cases' }]));
  const ofTheStage = [
    'Stack penstock-test-shared',
    'Table penstock-test-state',
    'Topic penstock-test-alarms',
  ];
  // The secret is named by the file, not by the pipeline.
  const shared = [...ofTheStage, 'Secret penstock/test/tickets-token'].sort();
  expect(before.filter((name) => after.includes(name)).sort()).toEqual(shared);
});

describe('names', () => {
  test('of three stages with ten pipelines each are disjoint', async () => {
    const inputs = Array.from({ length: 10 }, (_, index) => {
      const name = `p${'-x'.repeat(index)}`;
      const { source } = ticketsInput();
      return { ...ticketsInput(), name, source: { ...source, auth: { kind: 'none' as const } } };
    });
    const names: string[] = [];
    for (const stage of ['dev', 'test', 'prod']) {
      names.push(...physicalNames(await synthesize(inputs, { stage })));
    }
    expect(new Set(names).size).toBe(names.length);
    // A stage has three names, a pipeline fifteen and its alarms'.
    expect(names.filter((name) => !name.startsWith('Alarm '))).toHaveLength(3 * (3 + 10 * 15));
  });
});

test('every resource that can carry tags says whose it is', async () => {
  const made = await synthesize([ticketsInput()]);
  const tagsOf = ({ Properties }: Resource) =>
    Object.fromEntries(
      ((Properties['Tags'] ?? []) as readonly { Key: string; Value: string }[]).map(
        ({ Key, Value }) => [Key, Value],
      ),
    );
  const common = { app: 'penstock', stage: 'test' };
  for (const stack of [DATA, RUN, SHARED]) {
    const tags = stack === SHARED ? common : { ...common, pipeline: 'tickets' };
    const tagged = resourcesOf(made.template(stack)).filter(({ Type }) => !UNTAGGED.has(Type));
    for (const resource of tagged) {
      expect([resource.Type, tagsOf(resource)]).toEqual([resource.Type, tags]);
    }
  }
});

/** CloudFormation takes no tags for these. */
const UNTAGGED = new Set([
  'AWS::CloudWatch::Dashboard',
  'AWS::Lambda::EventInvokeConfig',
  'AWS::S3::BucketPolicy',
  'AWS::SNS::TopicPolicy',
  'AWS::SNS::Subscription',
  'AWS::Scheduler::Schedule',
]);

const NAMES: Readonly<Record<string, string>> = {
  'AWS::CloudWatch::Alarm': 'AlarmName',
  'AWS::CloudWatch::Dashboard': 'DashboardName',
  'AWS::DynamoDB::Table': 'TableName',
  'AWS::Kinesis::Stream': 'Name',
  'AWS::Lambda::Function': 'FunctionName',
  'AWS::Logs::LogGroup': 'LogGroupName',
  'AWS::S3::Bucket': 'BucketName',
  'AWS::Scheduler::Schedule': 'Name',
  'AWS::Scheduler::ScheduleGroup': 'Name',
  'AWS::SecretsManager::Secret': 'Name',
  'AWS::SNS::Topic': 'TopicName',
};

/** `Table penstock-test-state` of everything that has a name of its own; stacks too. */
function physicalNames(made: Synthesized): readonly string[] {
  const named = everyResource(made).flatMap(({ Type, Properties }) => {
    const property = NAMES[Type];
    if (property === undefined) return [];
    const name: unknown = Properties[property];
    return [`${Type.split('::')[2]} ${typeof name === 'string' ? name : JSON.stringify(name)}`];
  });
  return [...named, ...made.stacks.map((stack) => `Stack ${stack}`)];
}
