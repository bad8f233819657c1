/** What a person reads when a cloud does not do what was asked: one sentence, and what helps. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { cloudAnswering, said } from './cloud-answering.ts';

const refusal = (type: string, message: string) =>
  JSON.stringify({ __type: `com.amazonaws#${type}`, message });
const DENIED =
  'User: arn:aws:iam::123456789012:user/me is not authorized to perform: kinesis:ListShards on ' +
  'resource: arn:aws:kinesis:eu-central-1:123456789012:stream/penstock-dev-orders because no ' +
  'identity-based policy allows the kinesis:ListShards action';

test.each([
  [
    refusal('ExpiredTokenException', 'The security token included in the request is expired'),
    'The AWS session has expired: run `aws sso login`, or renew the credentials, and try again.',
  ],
  [
    refusal(
      'UnrecognizedClientException',
      'The security token included in the request is invalid.',
    ),
    'AWS does not accept these credentials: AWS_PROFILE or AWS_ACCESS_KEY_ID names others than you mean.',
  ],
  [
    refusal('AccessDeniedException', DENIED),
    'These credentials lack kinesis:ListShards on ' +
      'arn:aws:kinesis:eu-central-1:123456789012:stream/penstock-dev-orders: allow it in their policy.',
  ],
  [
    refusal(
      'ResourceNotFoundException',
      'Stream penstock-dev-orders under account 123456789012 not found.',
    ),
    /^The (stream penstock-dev-orders|table penstock-dev-state) is missing: is it deployed in this stage\?$/,
  ],
  [
    refusal(
      'ResourceNotFoundException',
      'Stream arn arn:aws:kinesis:us-east-1:000000000000:stream/penstock-dev-orders not found',
    ),
    /^The (stream penstock-dev-orders|table penstock-dev-state) is missing: is it deployed in this stage\?$/,
  ],
  [
    refusal('ResourceNotFoundException', 'Requested resource not found'),
    'The table penstock-dev-state is missing: is it deployed in this stage?',
  ],
  [
    '<!doctype html><title>Nothing here</title>',
    'What answers there is no AWS service: --cloud or AWS_ENDPOINT_URL holds another address.',
  ],
  ['', 'What answers there is no AWS service: --cloud or AWS_ENDPOINT_URL holds another address.'],
])('an answer of %j is one sentence with the remedy', async (body, sentence) => {
  const cloud = await cloudAnswering(400, body);
  const { code, out, err } = await said('lag', 'orders', '--cloud', cloud);
  expect({ code, out }).toEqual({ code: 1, out: '' });
  expect(err.trimEnd()).toEqual(
    typeof sentence === 'string' ? sentence : expect.stringMatching(sentence),
  );
});

/** `penstock lag --cloud aws` with a configuration of its own; no request leaves this machine. */
function onAws(config: string, env: Readonly<Record<string, string>> = {}) {
  const home = mkdtempSync(join(tmpdir(), 'penstock-aws-'));
  writeFileSync(join(home, 'config'), config);
  const { status, stderr } = spawnSync(
    process.execPath,
    ['bin/penstock.ts', 'lag', 'orders', '--cloud', 'aws'],
    {
      encoding: 'utf8',
      env: {
        PATH: process.env['PATH'],
        HOME: home,
        AWS_CONFIG_FILE: join(home, 'config'),
        AWS_SHARED_CREDENTIALS_FILE: join(home, 'credentials'),
        AWS_EC2_METADATA_DISABLED: 'true',
        // A shell that speaks to a local cloud otherwise.
        AWS_ENDPOINT_URL: 'http://127.0.0.1:9',
        ...env,
      },
    },
  );
  return { status, stderr };
}

const SSO = `[profile work]
sso_start_url = https://example.awsapps.com/start
sso_region = eu-central-1
sso_account_id = 123456789012
sso_role_name = operator
region = eu-central-1
`;

test('without a region, that is what is said', () => {
  expect(onAws('', { AWS_ACCESS_KEY_ID: 'A', AWS_SECRET_ACCESS_KEY: 'S' })).toEqual({
    status: 1,
    stderr:
      'No AWS region is chosen: set AWS_REGION, or `region` of the profile in ~/.aws/config.\n',
  });
});

test.each([{}, { AWS_PROFILE: 'wrok' }])(
  'without credentials, with %j, that is what is said',
  (profile) => {
    expect(onAws('', { AWS_REGION: 'eu-central-1', ...profile })).toEqual({
      status: 1,
      stderr:
        'No AWS credentials were found: AWS_PROFILE must name a profile of ~/.aws/config; `aws sso login` or `aws configure` fills it.\n',
    });
  },
);

test('an SSO session that is not open is one sentence', () => {
  expect(onAws(SSO, { AWS_PROFILE: 'work' })).toEqual({
    status: 1,
    stderr:
      'The AWS session has expired: run `aws sso login`, or renew the credentials, and try again.\n',
  });
});
