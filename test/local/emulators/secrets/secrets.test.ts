import fc from 'fast-check';
import { expect } from 'vitest';
import { ask } from '#test/local/ask';
import { ruleTest } from '#test/local/rules/rule-test';
import { ARN, NAME, secretCloud } from './secret-cloud.ts';

ruleTest('secrets', 'get-empty', async () => {
  expect(await secretCloud().call('GetSecretValue', { SecretId: NAME })).toMatchObject({
    status: 400,
    body: {
      __type: 'ResourceNotFoundException',
      Message:
        "Secrets Manager can't find the specified secret value for staging label: AWSCURRENT",
    },
  });
});

ruleTest('secrets', 'get-absent', async () => {
  expect((await secretCloud().call('GetSecretValue', { SecretId: 'other' })).body).toMatchObject({
    __type: 'ResourceNotFoundException',
    Message: "Secrets Manager can't find the specified secret.",
  });
});

ruleTest('secrets', 'get-ids', async () => {
  for (const SecretId of [NAME, ARN, ARN.slice(0, -7)]) {
    const { put, get } = secretCloud();
    await put('t0ken', { SecretId });
    expect(await get({ SecretId })).toMatchObject({
      ARN,
      Name: NAME,
      SecretString: 't0ken',
      VersionStages: ['AWSCURRENT'],
      CreatedDate: 17,
    });
  }
});

ruleTest('secrets', 'get-version', async () => {
  const { put, get } = secretCloud();
  const [one, two] = [(await put('one')).body.VersionId, (await put('two')).body.VersionId];
  expect((await get({ VersionId: one })).SecretString).toBe('one');
  expect((await get({ VersionStage: 'AWSPREVIOUS' })).VersionId).toBe(one);
  expect((await get({ VersionId: two, VersionStage: 'AWSCURRENT' })).SecretString).toBe('two');
  expect(await get({ VersionId: one, VersionStage: 'AWSCURRENT' })).toMatchObject({
    __type: 'InvalidRequestException',
    Message: 'You provided a VersionStage that is not associated to the provided VersionId.',
  });
  expect((await get({ VersionId: 'none' })).Message).toBe(
    "Secrets Manager can't find the specified secret value for VersionId: none",
  );
});

ruleTest('secrets', 'get-binary', async () => {
  const { call, get } = secretCloud();
  await call('PutSecretValue', { SecretId: NAME, SecretBinary: 'AAEC' });
  const value = await get();
  expect([value.SecretBinary, value.SecretString]).toEqual(['AAEC', undefined]);
});

ruleTest('secrets', 'get-batch', async () => {
  const { call, put, secrets } = secretCloud();
  await put('one');
  secrets.createSecret({ name: 'two', arn: 'arn:two-Local0', value: '2' });
  const batch = (SecretIdList: readonly string[]) => call('BatchGetSecretValue', { SecretIdList });
  const { body } = await batch(['two', 'none', NAME]);
  expect(body.SecretValues).toMatchObject([{ SecretString: '2' }, { SecretString: 'one' }]);
  expect(body.Errors).toEqual([
    {
      SecretId: 'none',
      ErrorCode: 'ResourceNotFoundException',
      Message: "Secrets Manager can't find the specified secret.",
    },
  ]);
  expect((await batch([])).status).toBe(400);
  expect((await batch(Array(21).fill('two'))).status).toBe(400);
  expect((await batch(Array(20).fill('two'))).status).toBe(200);
});

ruleTest('secrets', 'put-labels', async () => {
  const { put, get, call } = secretCloud();
  for (const value of ['one', 'two', 'three']) await put(value);
  const at = async (VersionStage: string) => (await get({ VersionStage })).SecretString;
  expect([await at('AWSCURRENT'), await at('AWSPREVIOUS')]).toEqual(['three', 'two']);
  const { body } = await call('DescribeSecret', { SecretId: NAME });
  expect(Object.values(body.VersionIdsToStages)).toEqual([['AWSPREVIOUS'], ['AWSCURRENT']]);
});

ruleTest(
  'secrets',
  'put-labels',
  async () => {
    const step = fc.record({
      value: fc.string({ minLength: 1, maxLength: 3 }),
      label: fc.constantFrom('AWSCURRENT', 'AWSPENDING', 'own'),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 8 }), async (steps) => {
        const { put, get } = secretCloud();
        const labels = new Map<string, string>();
        for (const { value, label } of steps) {
          const current = labels.get('AWSCURRENT');
          const takes = current === undefined || label === 'AWSCURRENT';
          if (takes && current !== undefined) labels.set('AWSPREVIOUS', current);
          if (takes) labels.set('AWSCURRENT', value);
          labels.set(label, value);
          await put(value, { VersionStages: [label] });
        }
        for (const [VersionStage, value] of labels) {
          expect((await get({ VersionStage })).SecretString).toBe(value);
        }
      }),
      { numRuns: 40 },
    );
  },
  'each label is on the version that took it last',
);

ruleTest('secrets', 'put-other-label', async () => {
  const { put, get } = secretCloud();
  await put('one');
  await put('two', { VersionStages: ['AWSPENDING'] });
  expect((await get()).SecretString).toBe('one');
  expect((await get({ VersionStage: 'AWSPENDING' })).SecretString).toBe('two');
});

ruleTest('secrets', 'put-deprecated', async () => {
  const { put, get } = secretCloud();
  const ids: string[] = [];
  for (let count = 0; count < 103; count++) ids.push((await put(`v${count}`)).body.VersionId);
  expect((await get({ VersionId: ids[1] })).SecretString).toBe('v1');
  expect((await get({ VersionId: ids[0] })).__type).toBe('ResourceNotFoundException');
});

ruleTest('secrets', 'put-token', async () => {
  const { put } = secretCloud();
  const ClientRequestToken = '11111111-2222-3333-4444-555555555555';
  expect((await put('one', { ClientRequestToken })).body.VersionId).toBe(ClientRequestToken);
  expect((await put('one', { ClientRequestToken })).status).toBe(200);
  const { body } = await put('two', { ClientRequestToken });
  expect(body.__type).toBe('ResourceExistsException');
  for (const wrong of ['x'.repeat(31), 'x'.repeat(65)]) {
    expect((await put('one', { ClientRequestToken: wrong })).body.Message).toBe(
      'ClientRequestToken must be 32-64 characters long.',
    );
  }
});

ruleTest('secrets', 'put-none', async () => {
  const { call, put } = secretCloud();
  const { body } = await call('PutSecretValue', { SecretId: NAME });
  expect(body).toMatchObject({
    __type: 'InvalidParameterException',
    Message: 'You must provide either SecretString or SecretBinary.',
  });
  const both = await put('x', { SecretBinary: 'AAEC' });
  expect(both.body.__type).toBe('InvalidParameterException');
});

ruleTest('secrets', 'put-size', async () => {
  const { put, call } = secretCloud();
  expect((await put('é'.repeat(32_768))).status).toBe(200);
  expect((await put('x'.repeat(65_537))).body.__type).toBe('ValidationException');
  const SecretBinary = Buffer.alloc(65_537).toString('base64');
  const binary = await call('PutSecretValue', { SecretId: NAME, SecretBinary });
  expect(binary.body.__type).toBe('ValidationException');
});

ruleTest('secrets', 'create', async () => {
  const { call } = secretCloud();
  const made = await call('CreateSecret', { Name: 'new', Description: 'd', SecretString: 's' });
  expect(made.body).toEqual({
    ARN: expect.stringMatching(/^arn:aws:secretsmanager:us-east-1:000000000000:secret:new-\w{6}$/),
    Name: 'new',
    VersionId: expect.stringMatching(/^[0-9a-f-]{36}$/),
  });
  expect((await call('CreateSecret', { Name: 'empty' })).body).not.toHaveProperty('VersionId');
  const { SecretString } = (await call('GetSecretValue', { SecretId: made.body.ARN })).body;
  expect(SecretString).toBe('s');
});

ruleTest('secrets', 'create-taken', async () => {
  const { call } = secretCloud();
  expect((await call('CreateSecret', { Name: NAME })).body).toMatchObject({
    __type: 'ResourceExistsException',
    Message: `The operation failed because the secret ${NAME} already exists.`,
  });
  await call('DeleteSecret', { SecretId: NAME });
  expect((await call('CreateSecret', { Name: NAME })).body).toMatchObject({
    __type: 'InvalidRequestException',
    Message: expect.stringContaining('already scheduled for deletion'),
  });
});

ruleTest('secrets', 'create-name', async () => {
  const { call } = secretCloud();
  expect((await call('CreateSecret', { Name: 'a/b_c+d=e.f@g-9' })).status).toBe(200);
  for (const Name of ['', 'a b', 'é', 'x'.repeat(513)]) {
    expect((await call('CreateSecret', { Name })).body.__type).toBe('ValidationException');
  }
});

ruleTest('secrets', 'create-declared', async () => {
  const { put, get, secrets } = secretCloud();
  await put('kept');
  secrets.createSecret({ name: NAME, arn: ARN, value: 'other' });
  expect((await get()).SecretString).toBe('kept');
});

ruleTest('secrets', 'update', async () => {
  const { call, put, get } = secretCloud();
  await put('one');
  const update = (change: object) => call('UpdateSecret', { SecretId: NAME, ...change });
  expect((await update({ Description: 'for orders' })).body).not.toHaveProperty('VersionId');
  await update({ SecretString: 'two' });
  expect((await get({ VersionStage: 'AWSPREVIOUS' })).SecretString).toBe('one');
  const { body } = await call('DescribeSecret', { SecretId: NAME });
  expect(body.Description).toBe('for orders');
});

ruleTest('secrets', 'describe', async () => {
  const { call, put } = secretCloud();
  const { VersionId } = (await put('hidden')).body;
  const { body } = await call('DescribeSecret', { SecretId: NAME });
  expect(body.VersionIdsToStages).toEqual({ [VersionId]: ['AWSCURRENT'] });
  expect(JSON.stringify(body)).not.toContain('hidden');
});

ruleTest('secrets', 'list', async () => {
  const { call, secrets } = secretCloud();
  secrets.createSecret({ name: 'another', arn: 'arn:another-Local0', value: 'hidden' });
  const first = (await call('ListSecrets', { MaxResults: 1 })).body;
  const rest = (await call('ListSecrets', { NextToken: first.NextToken })).body;
  const names = [...first.SecretList, ...rest.SecretList].map(({ Name }) => Name);
  expect([names, rest.NextToken]).toEqual([['another', NAME], undefined]);
  expect(JSON.stringify([first, rest])).not.toContain('hidden');
});

ruleTest('secrets', 'list-versions', async () => {
  const { call, put } = secretCloud();
  for (const value of ['one', 'two', 'three']) await put(value);
  const list = async (more: object) =>
    (await call('ListSecretVersionIds', { SecretId: NAME, ...more })).body.Versions;
  expect(await list({})).toHaveLength(2);
  expect(await list({ IncludeDeprecated: true })).toHaveLength(3);
});

const DAY_MS = 86_400_000;

ruleTest('secrets', 'delete', async () => {
  const { call, put, get, clock } = secretCloud();
  await put('kept');
  const SecretId = NAME;
  const deleted = await call('DeleteSecret', { SecretId, RecoveryWindowInDays: 7 });
  expect(deleted.body).toMatchObject({ Name: NAME, DeletionDate: 17 + 7 * 86_400 });
  await clock.step(7 * DAY_MS - 1);
  expect((await call('RestoreSecret', { SecretId })).status).toBe(200);
  expect((await get()).SecretString).toBe('kept');
  await call('DeleteSecret', { SecretId });
  await clock.step(30 * DAY_MS);
  expect((await call('RestoreSecret', { SecretId })).body.__type).toBe('ResourceNotFoundException');
  expect((await call('CreateSecret', { Name: NAME })).status).toBe(200);
});

ruleTest('secrets', 'delete-pending', async () => {
  const { call, put } = secretCloud();
  await put('x');
  const SecretId = NAME;
  await call('DeleteSecret', { SecretId });
  for (const operation of ['GetSecretValue', 'PutSecretValue', 'UpdateSecret', 'DeleteSecret']) {
    expect((await call(operation, { SecretId })).body).toMatchObject({
      __type: 'InvalidRequestException',
      Message: "You can't perform this operation on the secret because it was marked for deletion.",
    });
  }
  expect((await call('DescribeSecret', { SecretId })).body).toHaveProperty('DeletedDate');
  expect((await call('ListSecrets', {})).body.SecretList).toEqual([]);
  const all = await call('ListSecrets', { IncludePlannedDeletion: true });
  expect(all.body.SecretList).toHaveLength(1);
});

ruleTest('secrets', 'delete-forced', async () => {
  const { call } = secretCloud();
  await call('DeleteSecret', { SecretId: NAME, ForceDeleteWithoutRecovery: true });
  expect((await call('DescribeSecret', { SecretId: NAME })).body.__type).toBe(
    'ResourceNotFoundException',
  );
});

ruleTest('secrets', 'delete-refused', async () => {
  const { call } = secretCloud();
  for (const input of [
    { RecoveryWindowInDays: 6 },
    { RecoveryWindowInDays: 31 },
    { RecoveryWindowInDays: 7, ForceDeleteWithoutRecovery: true },
  ]) {
    const { body } = await call('DeleteSecret', { SecretId: NAME, ...input });
    expect(body.__type).toBe('InvalidParameterException');
  }
});

ruleTest('secrets', 'password', async () => {
  const asked = fc.record({
    PasswordLength: fc.integer({ min: 5, max: 40 }),
    ExcludeUppercase: fc.boolean(),
    ExcludePunctuation: fc.boolean(),
    IncludeSpace: fc.boolean(),
    ExcludeCharacters: fc.constantFrom('', 'abc1', '"@/\\'),
  });
  const { call } = secretCloud();
  await fc.assert(
    fc.asyncProperty(asked, async (input) => {
      const { RandomPassword: password } = (await call('GetRandomPassword', input)).body;
      expect(password).toHaveLength(input.PasswordLength);
      expect(password).toMatch(/[a-z].*|\d/);
      expect(/[A-Z]/.test(password)).toBe(!input.ExcludeUppercase);
      expect(/[^A-Za-z0-9 ]/.test(password)).toBe(!input.ExcludePunctuation);
      expect(password.includes(' ')).toBe(input.IncludeSpace);
      for (const excluded of input.ExcludeCharacters) expect(password).not.toContain(excluded);
    }),
    { numRuns: 40 },
  );
  expect((await call('GetRandomPassword', {})).body.RandomPassword).toHaveLength(32);
  expect((await call('GetRandomPassword', { PasswordLength: 4_097 })).status).toBe(400);
});

ruleTest('secrets', 'unsupported', async () => {
  const { call } = secretCloud();
  for (const operation of ['RotateSecret', 'ReplicateSecretToRegions', 'TagResource']) {
    expect((await call(operation, {})).body).toMatchObject({
      __type: 'UnknownOperationException',
      message: `emulator limit: no operation ${operation}`,
    });
  }
  for (const [operation, name] of [
    ['ListSecrets', 'Filters'],
    ['CreateSecret', 'AddReplicaRegions'],
    ['GetSecretValue', 'Colour'],
  ] as const) {
    expect((await call(operation, { [name]: [] })).body.Message).toBe(
      `emulator limit: parameter ${name} is not supported by the local cloud`,
    );
  }
});

ruleTest('secrets', 'malformed', async () => {
  const cases: [string, string][] = [
    ['{', 'SerializationException'],
    ['[]', 'SerializationException'],
    ['{"SecretId":7}', 'SerializationException'],
    ['{}', 'ValidationException'],
  ];
  for (const [body, type] of cases) {
    const headers = { 'x-amz-target': 'secretsmanager.GetSecretValue' };
    const answer = await ask(secretCloud().secrets, 'POST', '/', { headers, body });
    expect([answer.status, JSON.parse(answer.text).__type]).toEqual([400, type]);
  }
});
