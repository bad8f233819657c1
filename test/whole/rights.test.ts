/** Each role may do what is done under it, and nothing else. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PutRecordCommand } from '@aws-sdk/client-kinesis';
import { expect, onTestFinished, vi } from 'vitest';
import { startPipelines } from '#cli/cloud/start';
import { listQuarantine } from '#cli/quarantine-reader';
import type { CallsOfCaller } from '#local/iam/caller';
import { decide } from '#local/iam/decide';
import { readRoles } from '#local/iam/roles';
import type { Role } from '#local/iam/roles';
import { readAssembly } from '#local/template/assembly';
import type { AssemblyStack } from '#local/template/assembly';
import { planResources } from '#local/template/plan-resources';
import { synthesizeApp } from '#test/clouds/app';
import type { Cloud } from '#test/clouds/cloud';
import { capabilityTest } from '#test/clouds/cloud-test';
import { faultProxy, refusal } from '#test/clouds/fault-proxy';
import { withoutOne } from './template-rights.ts';
import { deployTickets, namesOf, sourceRows, tableRows, WAIT } from './tickets-app.ts';
import { TICKETS_FILE, TICKETS_TOKEN, ticketsSource } from './tickets-source.ts';
import type { TicketsSource } from './tickets-source.ts';

const HANDLER =
  "{ kind: 'handler', name: 'mail', file: '../../../test/whole/rights-mail.ts', per: 'record', " +
  "secrets: ['tickets-api-token'], batchSize: 2, retryAttempts: 1 }";

/** With a key of the user's own, and two consumers that soon give up. */
const PIPELINE = TICKETS_FILE.replace(
  'stream: {',
  "stream: { kmsKeyArn: 'arn:aws:kms:us-east-1:000000000000:key/own',",
).replace("name: 'tickets' }]", `name: 'tickets', batchSize: 2, retryAttempts: 1 }, ${HANDLER}]`);

/** Its writes always fail. */
const HOPELESS = 'ticket-13';

/** Too wide for one update: it is put. */
const WIDE = {
  ticket_id: 'wide',
  ...Object.fromEntries(Array.from({ length: 220 }, (_, at) => [`m${at}`, 'x'])),
};

capabilityTest('permissions', 'a role allows what is done under it, and no more', async (cloud) => {
  await callsIn(cloud);
  const source = await ticketsSource();
  const { deployment, calls } = await runEverything(cloud, source);
  const roles = rolesOf(readAssembly(deployment.cdkOut), source);

  // What has never been used need not be allowed; the last of it is used after a while.
  await vi.waitFor(async () => expect(unusedIn(roles, await calls())).toEqual([]), WAIT);
  const done = await calls();
  expect(done.flatMap(({ refused }) => refused)).toEqual([]);
  expect(roles.map(({ statements }) => statements.length)).toEqual([7, 1, 8, 8, 6, 1]);
  const grants = roles.flatMap(({ statements }) => statements.flatMap((each) => each.grants));
  expect(grants.filter((each) => each.action.includes('*') || each.resource === '*')).toEqual([]);

  // Whatever is taken out of a template is missed.
  const shrunken = withoutOne(readAssembly(deployment.cdkOut));
  expect(shrunken.length).toBeGreaterThan(20);
  const unnoticed = shrunken.filter(
    ({ stacks }) => refusedBy(rolesOf(stacks, source), done).length === 0,
  );
  expect(unnoticed.map(({ taken }) => taken)).toEqual([]);
});

capabilityTest('permissions', 'a right that is taken out is missed by a poll', async (cloud) => {
  await callsIn(cloud);
  const source = await ticketsSource();
  source.change('ticket-1');
  const env = { TICKETS_API_URL: source.url, TICKETS_API_TOKEN: TICKETS_TOKEN };
  const app = await synthesizeApp({ pipeline: TICKETS_FILE, env });
  const path = join(app.cdkOut, `penstock-${app.stage}-tickets-run.template.json`);
  writeFileSync(
    path,
    readFileSync(path, 'utf8').replace('kinesis:PutRecords', 'kinesis:PutRecord'),
  );
  const running = await startPipelines({ ...app, tempo: true, port: 0 });
  onTestFinished(running.stop);

  const { stream, pollFunction } = namesOf(app);
  await vi.waitFor(async () => {
    const calls = await callsOf(running.endpoint);
    const poll = calls.find(({ caller }) => caller === `function ${pollFunction}`);
    expect(poll?.refused).toMatchObject([{ action: 'kinesis:PutRecords' }]);
    const [{ message } = { message: '' }] = poll?.refused ?? [];
    expect(message).toMatch(
      new RegExp(
        `^User: arn:aws:sts::000000000000:assumed-role/.+/${pollFunction} is not authorized to perform: ` +
          `kinesis:PutRecords on resource: arn:aws:kinesis:us-east-1:000000000000:stream/${stream} ` +
          'because no identity-based policy allows the kinesis:PutRecords action$',
      ),
    );
  }, WAIT);
  expect((await tableRows({ ...running, stage: app.stage })).size).toBe(0);
});

/** What everyone did in the cloud that answers there. */
async function callsOf(endpoint: string): Promise<readonly CallsOfCaller[]> {
  const answer = await fetch(`${endpoint}/_penstock/calls`);
  if (!answer.ok) throw new Error('nobody counts the calls of a role');
  return (await answer.json()) as readonly CallsOfCaller[];
}

/** Before anything is deployed, where that can be told. */
async function callsIn({ endpoint }: Cloud): Promise<void> {
  if (endpoint !== undefined) await callsOf(endpoint);
}

/** Every behaviour that needs a right: rows, poison of both kinds, a record that is given up, and a stream that throttles. */
async function runEverything(cloud: Cloud, source: TicketsSource) {
  const proxy = await faultProxy(({ operation, body }, forward) =>
    operation === 'UpdateItem' && JSON.stringify(body).includes(`"${HOPELESS}"`)
      ? Promise.resolve(refusal('InternalServerError', 500))
      : forward(body),
  );
  let puts = 0;
  const throttler = await faultProxy(({ operation, body }, forward) =>
    operation === 'PutRecords' && puts++ === 0
      ? Promise.resolve(refusal('ProvisionedThroughputExceededException', 400))
      : forward(body),
  );
  for (let i = 0; i < 20; i++) source.change(`ticket-${i}`);
  source.serve({ subject: 'without a key' });
  source.serve(WIDE);
  const deployment = await deployTickets(cloud, source, {
    pipeline: PIPELINE,
    functionEnv: {
      '-consume-tickets': { AWS_ENDPOINT_URL_DYNAMODB: proxy.url },
      '-poll': { AWS_ENDPOINT_URL_KINESIS: throttler.url },
      '-recover': { PENSTOCK_WAIT_MINUTES: '0.01' },
    },
  });
  proxy.pass(deployment.endpoint);
  throttler.pass(deployment.endpoint);
  const { stream: StreamName, quarantineBucket } = namesOf(deployment);
  const torn = { StreamName, PartitionKey: 'torn', Data: Buffer.from('{"torn') };
  await deployment.connection.kinesis.send(new PutRecordCommand(torn));

  const send = await deployment.connection.signed('s3');
  await vi.waitFor(async () => {
    const hopeful = [...sourceRows(source)].filter(([id]) => id !== HOPELESS);
    const rows = await tableRows(deployment);
    expect(rows.delete(WIDE.ticket_id)).toBe(true);
    expect(rows).toEqual(new Map(hopeful));
    const keys = await listQuarantine(send, quarantineBucket);
    const kept = new Set(keys.map((key) => key.split('/')[0]));
    expect([...kept].toSorted()).toEqual(['mail', 'poll', 'tickets']);
    expect(keys.join()).toContain('tickets/given-up/');
    expect(keys.join()).toContain('mail/given-up/');
  }, WAIT);
  return { deployment, calls: () => callsOf(deployment.endpoint) };
}

function rolesOf(stacks: readonly AssemblyStack[], { url }: TicketsSource): readonly Role[] {
  const planned = planResources(stacks, { TicketsApiUrl: url });
  const problems: string[] = [];
  const roles = readRoles(planned, (problem) => problems.push(problem));
  expect(problems).toEqual([]);
  return [...roles.values()];
}

const inWords = (role: string, statement: string, action: string, resource: string) =>
  `${role}: ${statement}: ${action} on ${resource}`;

/** Pairs of action and resource that a role's policies allow, and nobody asked for. */
function unusedIn(roles: readonly Role[], calls: readonly CallsOfCaller[]): readonly string[] {
  const used = new Set(
    calls.flatMap(({ role, allowed }) =>
      allowed.map(({ statement, grant }) => inWords(role, statement, grant.action, grant.resource)),
    ),
  );
  const allowed = roles.flatMap(({ arn, statements }) =>
    statements.flatMap(({ place, grants }) =>
      grants.map(({ action, resource }) => inWords(arn, place, action, resource)),
    ),
  );
  return allowed.filter((pair) => !used.has(pair));
}

/** What was done, and would be refused with these roles. */
function refusedBy(roles: readonly Role[], calls: readonly CallsOfCaller[]): readonly string[] {
  return calls.flatMap(({ role, allowed }) => {
    const statements = roles.find(({ arn }) => arn === role)?.statements ?? [];
    return allowed
      .filter(({ example }) => decide(statements, example).kind === 'denied')
      .map(({ action }) => action);
  });
}
