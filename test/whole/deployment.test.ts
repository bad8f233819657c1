/** The CDK's own life of the app: deployed, compared, destroyed. */
import { expect, vi } from 'vitest';
import { PROJECT_ROOT } from '#cli/project';
import { cdk, deploy } from '#localstack/cdk';
import { synthesizeApp } from '#test/clouds/app';
import { capabilityTest } from '#test/clouds/cloud-test';
import { deployedResources, resourcesThere } from './deployed-resources.ts';
import { deployTickets, WAIT } from './tickets-app.ts';
import { TICKETS_FILE, TICKETS_TOKEN, ticketsSource } from './tickets-source.ts';

const STACKS = 3;
const KEPT = [
  'AWS::DynamoDB::Table',
  'AWS::DynamoDB::Table',
  'AWS::Kinesis::Stream',
  'AWS::S3::Bucket',
  'AWS::S3::BucketPolicy',
  'AWS::SecretsManager::Secret',
];

capabilityTest(
  'cdk-deploy',
  'synthesized again, nothing has changed; destroyed, just what templates retain is left',
  async (cloud) => {
    const source = await ticketsSource();
    // A poll on its way while its log group is deleted would make it anew.
    const deployment = await deployTickets(cloud, source, { scheduleOnly: true });
    const env = {
      TICKETS_API_URL: await cloud.reach(source.url),
      TICKETS_API_TOKEN: TICKETS_TOKEN,
    };
    const { cdkOut } = await synthesizeApp({ pipeline: TICKETS_FILE, env }, deployment.stage);
    const { endpoint } = deployment;
    const place = { endpoint, env: process.env, cwd: PROJECT_ROOT };

    expect((await deploy(cdkOut, place)).match(/\(no changes\)/g)).toHaveLength(STACKS);
    expect(await cdk(['diff', '--all', '--fail', '--app', cdkOut], place)).toMatch(
      /Number of stacks with differences: 0/,
    );

    const resources = await deployedResources(deployment);
    expect(await resourcesThere(endpoint, resources)).toEqual(resources);
    await cdk(['destroy', '--all', '--force', '--app', cdkOut], place);
    const retained = resources.filter((one) => one.retained);
    expect(retained.map(({ type }) => type).toSorted()).toEqual(KEPT);
    await vi.waitFor(
      async () => expect(await resourcesThere(endpoint, resources)).toEqual(retained),
      WAIT,
    );
  },
);
