import type { Template } from 'aws-cdk-lib/assertions';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { PipelineInput } from '#config/pipeline-input';
import { ticketsInput } from '#test/config/pipeline-input';
import { only, removeTemporary, synthesize } from '#test/infra/synthesize';
import type { Synthesized } from '#test/infra/synthesize';

type Auth = PipelineInput['source']['auth'];

const SOURCES = {
  keyed: { kind: 'api-key', secret: 'keyed-key', param: 'api_key' },
  logged: { kind: 'basic', secret: 'logged-login' },
  client: {
    kind: 'oauth2',
    tokenUrl: { env: 'CLIENT_TOKEN_URL' },
    clientId: { env: 'CLIENT_ID', default: 'penstock' },
    secret: 'client-secret',
  },
  granted: {
    kind: 'oauth2',
    grant: 'refresh-token',
    tokenUrl: 'https://login.example.com/token',
    clientId: 'penstock',
    secret: 'granted-grant',
  },
} satisfies Record<string, Auth>;

const SENT = {
  keyed: 'Key that the poll function sends to its source. Put its value by hand.',
  logged:
    'JSON of the username and the password that the poll function sends to its source. Put its value by hand.',
  granted:
    'JSON of the client secret and the refresh token, which the poll function replaces by each new one. Put its value by hand.',
  client:
    'Client secret that the poll function sends to its token endpoint. Put its value by hand.',
};

let made: Synthesized;
beforeAll(async () => {
  const { source, ...rest } = ticketsInput();
  made = await synthesize(
    Object.entries(SOURCES).map(([name, auth]) => ({ ...rest, name, source: { ...source, auth } })),
  );
});
afterAll(removeTemporary);

describe.each(Object.entries(SOURCES))('the source %s', (name, { secret }) => {
  const stack = (part: string) => made.template(`penstock-test-${name}-${part}`);

  test('has its secret, empty, with a word on what belongs into it', () => {
    expect(only(stack('data'), 'AWS::SecretsManager::Secret')).toMatchObject({
      Name: `penstock/test/${secret}`,
      Description: SENT[name as keyof typeof SENT],
    });
  });

  test('is polled by a function that knows the secret by name and may read that one alone', () => {
    expect(pollVariables(stack('run'))['PENSTOCK_SECRET']).toBe(`penstock/test/${secret}`);
    const reads = JSON.stringify(stack('run').findResources('AWS::IAM::Role'))
      .split('"secretsmanager:GetSecretValue"')
      .slice(1);
    expect(reads).toHaveLength(1);
    expect(reads[0]).toContain(`secret:penstock/test/${secret}-??????`);
  });
});

test('a refresh token is replaced by its poll function alone, in its one secret and under its one turn', () => {
  const rights = (name: string) =>
    Object.values(made.template(`penstock-test-${name}-run`).findResources('AWS::IAM::Role'))
      .flatMap(({ Properties }) => Properties['Policies'] ?? [])
      .flatMap(({ PolicyDocument }) => PolicyDocument.Statement)
      .filter((each) => /PutSecretValue|VersionStage|turn#/.test(JSON.stringify(each)));
  expect(rights('granted')).toMatchObject([
    {
      Action: ['secretsmanager:PutSecretValue', 'secretsmanager:UpdateSecretVersionStage'],
      Resource: expect.toSatisfy((each: unknown) =>
        JSON.stringify(each).includes('secret:penstock/test/granted-grant-??????'),
      ),
    },
    {
      Action: 'dynamodb:UpdateItem',
      Condition: {
        'ForAllValues:StringEquals': {
          'dynamodb:LeadingKeys': ['turn#penstock/test/granted-grant'],
        },
      },
    },
  ]);
  expect(rights('client')).toEqual([]);
});

test('the settings of a client are parameters of its stack and variables of its poll function', () => {
  const run = made.template('penstock-test-client-run');
  expect(pollVariables(run)).toMatchObject({
    CLIENT_TOKEN_URL: { Ref: 'ClientTokenUrl' },
    CLIENT_ID: { Ref: 'ClientId' },
  });
  expect(run.findParameters('ClientId')['ClientId']).toMatchObject({ Default: 'penstock' });
  expect(run.findParameters('ClientTokenUrl')['ClientTokenUrl']).not.toHaveProperty('Default');
});

function pollVariables(run: Template): Record<string, unknown> {
  const functions = Object.values(run.findResources('AWS::Lambda::Function'));
  const poll = functions.find(({ Properties }) => Properties['FunctionName'].endsWith('-poll'));
  return poll!['Properties']['Environment']['Variables'];
}
