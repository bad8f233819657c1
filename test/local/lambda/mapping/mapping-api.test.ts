import { expect, test } from 'vitest';
import { ask } from '#test/local/ask';
import { ruleTest } from '#test/local/rules/rule-test';
import { DONE, settle, START_MS } from './mapping-bench.ts';
import { FUNCTION_ARN, LEAST, mappingsBench, ROOT, STREAM_ARN } from './mappings-bench.ts';
import type { ApiAnswer } from './mappings-bench.ts';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const refusalOf = ({ status, headers, body }: ApiAnswer) => [
  status,
  headers['x-amzn-errortype'],
  body.message ?? body.Message,
];

ruleTest('mapping', 'create-answer', async () => {
  const { create } = mappingsBench();
  const { status, body } = await create();
  expect(status).toBe(202);
  expect(body).toEqual({
    UUID: expect.stringMatching(UUID),
    EventSourceMappingArn: `arn:aws:lambda:us-east-1:000000000000:event-source-mapping:${body.UUID}`,
    EventSourceArn: STREAM_ARN,
    FunctionArn: FUNCTION_ARN,
    StartingPosition: 'TRIM_HORIZON',
    BatchSize: 100,
    MaximumBatchingWindowInSeconds: 0,
    ParallelizationFactor: 1,
    MaximumRetryAttempts: -1,
    MaximumRecordAgeInSeconds: -1,
    TumblingWindowInSeconds: 0,
    BisectBatchOnFunctionError: false,
    DestinationConfig: { OnFailure: {} },
    FunctionResponseTypes: [],
    LastModified: START_MS / 1000,
    LastProcessingResult: 'No records processed',
    State: 'Creating',
    StateTransitionReason: 'User action',
  });
});

ruleTest('mapping', 'create-reads', async () => {
  const { mappings, create, log, calls, storage } = mappingsBench();
  mappings.start();
  log.write('s0', 'a');
  const { body } = await create();
  await settle();
  expect(calls).toEqual([['consume', 'a']]);
  await mappings.stop();
  log.write('s0', 'b');
  const again = mappingsBench({ log, storage });
  again.mappings.start();
  await settle();
  expect(again.calls).toEqual([['consume', 'b']]);
  expect((await again.call('GET', `/${body.UUID}`)).body).toMatchObject({ State: 'Enabled' });
});

test('a mapping that was made before anything runs outlives a restart too', async () => {
  const first = mappingsBench();
  const { body } = await first.create();
  first.mappings.start();
  await first.mappings.stop();
  const second = mappingsBench({ log: first.log, storage: first.storage });
  second.mappings.start();
  expect((await second.call('GET', `/${body.UUID}`)).status).toBe(200);
});

test('a mapping that was made before its function went is told of, and gone', async () => {
  const first = mappingsBench();
  await first.create();
  const { log, storage } = first;
  const second = mappingsBench({ log, storage, functions: [] });
  second.mappings.start();
  expect(second.events).toMatchObject([{ kind: 'defect' }]);
  expect((await second.call('GET')).body.EventSourceMappings).toEqual([]);
});

ruleTest('mapping', 'two-functions', async () => {
  let stuck = true;
  const { create, mappings, log, calls } = mappingsBench({
    answer: () => {
      const isFirst = stuck;
      stuck = false;
      return isFirst ? new Promise(() => {}) : DONE;
    },
  });
  mappings.start();
  await create({ BatchSize: 1 });
  await create({ BatchSize: 1, FunctionName: 'other' });
  log.write('s0', 'a', 'b');
  await settle();
  expect(calls).toEqual([
    ['consume', 'a'],
    ['other', 'a'],
    ['other', 'b'],
  ]);
});

ruleTest('mapping', 'create-twice', async () => {
  const { create } = mappingsBench();
  const { body } = await create();
  expect(refusalOf(await create({ BatchSize: 7, FunctionName: FUNCTION_ARN }))).toEqual([
    409,
    'ResourceConflictException',
    `The event source arn (" ${STREAM_ARN} ") and function (" consume ") provided mapping already exists. Please update or delete the existing mapping with UUID ${body.UUID}`,
  ]);
  expect((await create({ FunctionName: 'other' })).status).toBe(202);
});

ruleTest('mapping', 'create-no-function', async () => {
  const { create } = mappingsBench();
  expect(refusalOf(await create({ FunctionName: 'absent' }))).toEqual([
    404,
    'ResourceNotFoundException',
    'Function not found: arn:aws:lambda:us-east-1:000000000000:function:absent',
  ]);
});

ruleTest('mapping', 'create-no-stream', async () => {
  const { create, log } = mappingsBench();
  log.deleteStream();
  expect(refusalOf(await create())).toEqual([
    400,
    'InvalidParameterValueException',
    `Stream not found: ${STREAM_ARN}`,
  ]);
});

ruleTest('mapping', 'create-no-right', async () => {
  const { create, call } = mappingsBench({
    refusalOf: (name) => (name === 'other' ? 'Cannot access stream river: no.' : undefined),
  });
  const { body } = await create();
  const refusal = [400, 'InvalidParameterValueException', 'Cannot access stream river: no.'];
  expect(refusalOf(await create({ FunctionName: 'other' }))).toEqual(refusal);
  await settle();
  expect(refusalOf(await call('PUT', `/${body.UUID}`, { FunctionName: 'other' }))).toEqual(refusal);
  expect((await call('GET')).body.EventSourceMappings).toHaveLength(1);
});

ruleTest(
  'mapping',
  'ranges',
  async () => {
    const { create, call } = mappingsBench();
    expect(refusalOf(await create({ BatchSize: 0 }))).toEqual([
      400,
      'ValidationException',
      'BatchSize is 0, not 1 to 10000',
    ]);
    expect(refusalOf(await create({ ScalingConfig: { MaximumConcurrency: 2 } }))).toEqual([
      400,
      'InvalidParameterValueException',
      'ScalingConfig is not a parameter of a Kinesis stream’s mapping'.replace('’', "'"),
    ]);
    expect((await call('GET')).body.EventSourceMappings).toEqual([]);
  },
  'through the API',
);

test('a body that is no JSON object, and a method that is none, are refused', async () => {
  const { api, call } = mappingsBench();
  for (const body of ['{', '[]', 'null', '"a"']) {
    const answer = await ask(api, 'POST', ROOT, { body });
    expect(answer.headers['x-amzn-errortype']).toBe('SerializationException');
  }
  expect((await call('PATCH')).status).toBe(405);
});

ruleTest('mapping', 'get', async () => {
  let fails = false;
  const { create, call, mappings, log, clock } = mappingsBench({
    answer: () =>
      fails ? { kind: 'error', errorType: 'E', payload: '{}' } : { kind: 'ok', payload: '' },
  });
  mappings.start();
  const { body } = await create({
    FilterCriteria: { Filters: [{ Pattern: '{"partitionKey":["k"]}' }] },
    Tags: { a: 'b' },
  });
  const get = async () => (await call('GET', `/${body.UUID}`)).body;
  await settle();
  expect(await get()).toEqual({ ...body, State: 'Enabled' });
  log.write('s0', 'a');
  await settle();
  expect(await get()).toMatchObject({ LastProcessingResult: 'OK' });
  fails = true;
  log.write('s0', 'b');
  await clock.step(1);
  expect(await get()).toMatchObject({ LastProcessingResult: 'PROBLEM: Function call failed' });
});

ruleTest('mapping', 'get-unknown', async () => {
  const { call } = mappingsBench();
  for (const [method, body] of [['GET'], ['PUT', {}], ['DELETE']] as const) {
    expect(refusalOf(await call(method, '/6f1c9a52-0000-4000-8000-000000000007', body))).toEqual([
      404,
      'ResourceNotFoundException',
      'The resource you requested does not exist.',
    ]);
  }
});

ruleTest('mapping', 'list', async () => {
  const { create, call } = mappingsBench();
  const [one, other] = [await create(), await create({ FunctionName: 'other' })];
  const list = async (query: string) =>
    (await call('GET', `/${query}`)).body.EventSourceMappings.map(
      (mapping: { UUID: string }) => mapping.UUID,
    );
  expect(await list('')).toEqual([one.body.UUID, other.body.UUID]);
  expect(await list('?FunctionName=other')).toEqual([other.body.UUID]);
  expect(await list(`?FunctionName=${encodeURIComponent(FUNCTION_ARN)}`)).toEqual([one.body.UUID]);
  expect(await list(`?EventSourceArn=${encodeURIComponent(STREAM_ARN)}`)).toHaveLength(2);
  expect(await list(`?EventSourceArn=${encodeURIComponent(`${STREAM_ARN}2`)}`)).toEqual([]);
});

ruleTest('mapping', 'list-pages', async () => {
  const functions = Array.from({ length: 103 }, (_, i) => `fn-${i}`);
  const { create, call } = mappingsBench({ functions });
  for (const FunctionName of functions) await create({ FunctionName });
  const page = async (query: string) => (await call('GET', `?${query}`)).body;
  const first = await page('MaxItems=2');
  expect(first.EventSourceMappings).toHaveLength(2);
  const second = await page(`MaxItems=10000&Marker=${first.NextMarker}`);
  expect(second.EventSourceMappings).toHaveLength(100);
  const third = await page(`Marker=${second.NextMarker}`);
  expect(
    third.EventSourceMappings.map(({ FunctionArn }: { FunctionArn: string }) => FunctionArn),
  ).toEqual([FUNCTION_ARN.replace('consume', 'fn-102')]);
  expect(third).not.toHaveProperty('NextMarker');
  for (const query of ['MaxItems=0', 'MaxItems=10001', 'MaxItems=x', 'Marker=none']) {
    expect((await call('GET', `?${query}`)).status, query).toBe(400);
  }
});

ruleTest('mapping', 'ref-uuid', async () => {
  const { mappings, call, objects, log } = mappingsBench({
    answer: () => ({ kind: 'error', errorType: 'E', payload: '{}' }),
  });
  const uuid = '6f1c9a52-0000-4000-8000-000000000007';
  mappings.add(
    {
      ...LEAST,
      MaximumRetryAttempts: 0,
      DestinationConfig: { OnFailure: { Destination: 'arn:aws:s3:::box' } },
    },
    uuid,
  );
  mappings.start();
  log.write('s0', 'a');
  await settle();
  expect((await call('GET', `/${uuid}`)).body).toMatchObject({ UUID: uuid, State: 'Enabled' });
  expect([...objects.keys()]).toEqual([expect.stringContaining(`box/aws/lambda/${uuid}/s0/`)]);
});
