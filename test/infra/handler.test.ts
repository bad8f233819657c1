/** What a consumer without a table is given, and what it is not. */
import { Match } from 'aws-cdk-lib/assertions';
import type { Template } from 'aws-cdk-lib/assertions';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { handlerInput, ticketsInput } from '#test/config/pipeline-input';
import { removeTemporary, synthesize } from '#test/infra/synthesize';

afterAll(removeTemporary);

let run: Template;
let data: Template;
beforeAll(async () => {
  const { template } = await synthesize([ticketsInput({ consumers: [handlerInput()] })]);
  run = template('penstock-test-tickets-run');
  data = template('penstock-test-tickets-data');
});

const FUNCTION = 'penstock-test-tickets-consume-mail';

function roleOf(functionName: string): unknown {
  const [fn] = Object.values(
    run.findResources('AWS::Lambda::Function', { Properties: { FunctionName: functionName } }),
  );
  const role = (fn as { Properties: { Role: { 'Fn::GetAtt': [string] } } }).Properties.Role;
  return run.findResources('AWS::IAM::Role')[role['Fn::GetAtt'][0]];
}

test('no table is made for it', () => {
  data.resourceCountIs('AWS::DynamoDB::Table', 0);
  run.resourceCountIs('AWS::Lambda::EventSourceMapping', 1);
});

test('it is told its own variables, those of settings by parameter', () => {
  run.hasResourceProperties('AWS::Lambda::Function', {
    FunctionName: FUNCTION,
    Timeout: 48,
    Environment: {
      Variables: {
        MAIL_URL: { Ref: 'TicketsMailUrl' },
        MODE: 'plain',
        PENSTOCK_SECRET_PREFIX: 'penstock/test/',
        PENSTOCK_TABLE: Match.absent(),
        TICKETS_API_URL: Match.absent(),
      },
    },
  });
  expect(Object.keys(run.findParameters('*'))).toEqual(
    expect.arrayContaining(['TicketsApiUrl', 'TicketsTeam', 'TicketsMailUrl']),
  );
});

test('the poll is told nothing of it', () => {
  run.hasResourceProperties('AWS::Lambda::Function', {
    FunctionName: 'penstock-test-tickets-poll',
    Environment: { Variables: { MAIL_URL: Match.absent(), TICKETS_API_URL: Match.anyValue() } },
  });
});

test('it may read its own secrets, and write to no table but the state', () => {
  const rights = JSON.stringify(roleOf(FUNCTION));
  const secrets = [...rights.matchAll(/:secret:(penstock[^"]*)"/g)].map(([, name]) => name);
  expect(secrets).toEqual([
    'penstock/test/mail-token-??????',
    'penstock/test/tickets-token-??????',
  ]);
  expect(rights).not.toContain('dynamodb:PutItem');
  expect(rights).toContain('checkpoint#tickets#mail');
});

test('its secrets are made beside the source’s, each once', () => {
  const names = Object.values(data.findResources('AWS::SecretsManager::Secret')).map(
    ({ Properties }) => (Properties as { Name: string }).Name,
  );
  expect(names).toEqual(['penstock/test/tickets-token', 'penstock/test/mail-token']);
});

test('it has the alarms that a table has', async () => {
  const { template } = await synthesize([
    ticketsInput({
      consumers: [handlerInput(), { ...ticketsInput().consumers[0]!, name: 'board' }],
    }),
  ]);
  const alarms = Object.values(
    template('penstock-test-tickets-run').findResources('AWS::CloudWatch::Alarm'),
  ).map(({ Properties }) => (Properties as { AlarmName: string }).AlarmName);
  const of = (name: string) =>
    alarms.filter((alarm) => alarm.endsWith(`-${name}`)).map((alarm) => alarm.replace(name, '…'));
  expect(of('mail')).toEqual(of('board'));
  expect(of('mail').length).toBeGreaterThan(5);
});

test('its bundle is made of its own file, and asks for nothing of a table', async () => {
  const { outdir } = await synthesize([ticketsInput({ consumers: [handlerInput()] })]);
  const { handler } = (await import(`${outdir}/.bundles/${FUNCTION}/index.mjs`)) as {
    handler: () => { second: unknown; third: unknown };
  };
  expect(handler()).toMatchObject({ second: 'mail', third: 'mail' });
});
