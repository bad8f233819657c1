import { expect } from 'vitest';
import { ruleTest } from '#test/local/rules/rule-test';
import { DONE, settle } from './mapping-bench.ts';
import { LEAST, mappingsBench, STREAM_ARN } from './mappings-bench.ts';
import type { MappingsBenchOptions } from './mappings-bench.ts';

async function open(properties: object = {}, options: MappingsBenchOptions = {}) {
  const bench = mappingsBench(options);
  bench.mappings.start();
  const { body } = await bench.create(properties);
  await settle();
  const path = `/${body.UUID}`;
  const state = async () => (await bench.call('GET', path)).body.State;
  const update = (changes: object) => bench.call('PUT', path, changes);
  return { ...bench, path, state, update };
}

ruleTest('mapping', 'update', async () => {
  const { update, call, path, log, storage } = await open({ MaximumRetryAttempts: 3 });
  const { status, body } = await update({
    BatchSize: 7,
    BisectBatchOnFunctionError: true,
    FunctionName: 'other',
    FilterCriteria: { Filters: [{ Pattern: '{"data":{"a":[1]}}' }] },
  });
  expect([status, body.State]).toEqual([202, 'Updating']);
  await settle();
  const changed = {
    BatchSize: 7,
    BisectBatchOnFunctionError: true,
    FunctionArn: expect.stringContaining(':function:other'),
    FilterCriteria: { Filters: [{ Pattern: '{"data":{"a":[1]}}' }] },
    MaximumRetryAttempts: 3,
    State: 'Enabled',
  };
  expect((await call('GET', path)).body).toMatchObject(changed);
  const again = mappingsBench({ log, storage });
  again.mappings.start();
  expect((await again.call('GET', path)).body).toMatchObject(changed);
  expect((await update({ FilterCriteria: {} })).body.FilterCriteria).toEqual({});
});

ruleTest('mapping', 'update-in-place', async () => {
  const { update, log, calls } = await open({ BatchSize: 2 });
  const changes: readonly object[] = [
    { BatchSize: 3 },
    { MaximumRetryAttempts: 5 },
    { ParallelizationFactor: 4 },
    { FilterCriteria: { Filters: [{ Pattern: '{"partitionKey":["k"]}' }] } },
    { TumblingWindowInSeconds: 0, ParallelizationFactor: 1 },
    { Enabled: false },
    { Enabled: true },
    { FunctionName: 'other' },
  ];
  const written: string[] = [];
  for (const [n, change] of changes.entries()) {
    for (const when of ['before', 'amid', 'after']) {
      const text = `${n}-${when} `;
      written.push(text);
      if (when === 'amid') void update(change);
      log.write('s0', text);
      if (when !== 'before') await settle();
    }
  }
  await settle();
  expect(calls.map(([, texts]) => texts).join('')).toBe(written.join(''));
  expect(new Set(calls.map(([functionName]) => functionName))).toEqual(
    new Set(['consume', 'other']),
  );
});

ruleTest('mapping', 'update-fixed', async () => {
  const { update } = await open();
  for (const [name, value] of Object.entries({
    EventSourceArn: STREAM_ARN,
    StartingPosition: 'LATEST',
    StartingPositionTimestamp: 5,
  })) {
    const { status, body } = await update({ [name]: value });
    expect([status, body.message]).toEqual([400, `${name} cannot be changed`]);
  }
});

ruleTest(
  'mapping',
  'update',
  async () => {
    const { update, call, path } = await open({ BatchSize: 5 });
    expect((await update({ BatchSize: 0 })).status).toBe(400);
    expect((await update({ FunctionName: 'absent' })).status).toBe(404);
    expect((await call('GET', path)).body).toMatchObject({ BatchSize: 5, State: 'Enabled' });
  },
  'all of it, or nothing',
);

ruleTest('mapping', 'states', async () => {
  let finish = () => {};
  const { update, state, call, path, log, mappings } = await open(
    {},
    { answer: () => new Promise((resolve) => (finish = () => resolve(DONE))) },
  );
  const passes = async (change: object, passing: string, resting: string) => {
    log.write('s0', 'a');
    await settle();
    expect((await update(change)).body.State).toBe(passing);
    await settle();
    if (passing !== 'Enabling') {
      expect(await state()).toBe(passing);
      expect(mappings.isIdle()).toBe(false);
      finish();
      await settle();
    }
    expect(await state()).toBe(resting);
  };
  expect(await state()).toBe('Enabled');
  await passes({ BatchSize: 4 }, 'Updating', 'Enabled');
  await passes({ Enabled: false }, 'Disabling', 'Disabled');
  await passes({ Enabled: true }, 'Enabling', 'Enabled');
  expect((await call('DELETE', path)).body.State).toBe('Deleting');
  finish();
  await settle();
  expect((await call('GET', path)).status).toBe(404);
});

ruleTest('mapping', 'update-busy', async () => {
  let finish = () => {};
  const { update, call, path, log } = await open(
    {},
    { answer: () => new Promise((resolve) => (finish = () => resolve(DONE))) },
  );
  log.write('s0', 'a');
  await settle();
  await update({ BatchSize: 4 });
  for (const answer of [await update({ BatchSize: 5 }), await call('DELETE', path)]) {
    expect(answer.status).toBe(400);
    expect(answer.headers['x-amzn-errortype']).toBe('ResourceInUseException');
  }
  finish();
  await settle();
  expect((await update({ BatchSize: 5 })).status).toBe(202);
});

ruleTest('mapping', 'delete', async () => {
  const { call, create, path, log, calls } = await open();
  log.write('s0', 'a');
  await settle();
  const { status, body } = await call('DELETE', path);
  expect([status, body.State, `/${body.UUID}`]).toEqual([202, 'Deleting', path]);
  await settle();
  expect((await call('GET')).body.EventSourceMappings).toEqual([]);
  log.write('s0', 'b');
  await settle();
  expect(calls).toHaveLength(1);
  await create();
  await settle();
  expect(calls.at(-1)).toEqual(['consume', 'ab']);
});

ruleTest(
  'mapping',
  'delete',
  async () => {
    const uuid = '6f1c9a52-0000-4000-8000-000000000007';
    const first = mappingsBench();
    first.mappings.add(LEAST, uuid);
    first.mappings.start();
    first.log.write('s0', 'a');
    await settle();
    await first.call('DELETE', `/${uuid}`);
    await settle();
    const second = mappingsBench({ log: first.log, storage: first.storage });
    second.mappings.add(LEAST, uuid);
    second.mappings.start();
    await settle();
    expect(second.calls).toEqual([['consume', 'a']]);
  },
  'a template’s is there again after a restart, from its beginning',
);

ruleTest('mapping', 'template-again', async () => {
  const uuid = '6f1c9a52-0000-4000-8000-000000000007';
  const first = mappingsBench();
  first.mappings.add({ ...LEAST, BatchSize: 9 }, uuid);
  first.mappings.start();
  expect((await first.call('PUT', `/${uuid}`, { BatchSize: 4 })).body.BatchSize).toBe(4);
  await first.mappings.stop();
  const second = mappingsBench({ log: first.log, storage: first.storage });
  second.mappings.add({ ...LEAST, BatchSize: 9 }, uuid);
  second.mappings.start();
  expect((await second.call('GET', `/${uuid}`)).body.BatchSize).toBe(9);
});
