import { describe, expect, test } from 'vitest';
import type { PipelineSettings } from '#config/pipeline-settings';
import { readPollEnvironment, resolveSetting } from '#functions/poll/environment';
import { toBodyRules, toPollOptions } from '#functions/poll/poll-options';

const settings: PipelineSettings = {
  name: 'orders',
  source: {
    url: { env: 'ORDERS_API_URL' },
    auth: { kind: 'bearer', secret: 'orders-api-token', refetchOn: [401] },
    records: 'data.items',
    pagination: { kind: 'cursor', param: 'cursor', next: 'meta.next' },
    incremental: {
      param: 'updated_since',
      field: 'meta.updated',
      fieldFormat: 'epoch-ms',
      format: 'iso',
      horizonSec: 91,
      inclusive: false,
      ordered: false,
    },
    pageSize: { param: 'limit', value: 501 },
    query: { region: { env: 'REGION_CODE', default: 'eu' }, kind: 'all' },
    deleted: { field: 'meta.deleted_at' },
    timeoutSec: 21,
    idleSec: 12,
    orphans: false,
  },
  schedule: { everyMinutes: 1 },
  poll: { memoryMb: 512, timeoutSec: 60, behind: { reaction: 'ignore' } },
  record: {
    key: 'order_id',
    version: { field: 'rev', format: 'integer' },
    eventTime: { field: 'at', format: 'epoch-s' },
    partitionBy: 'customer.id',
  },
  stream: { load: { onDemand: true }, retentionHours: 168, recordBytesMax: 1_048_577 },
  consumers: [],
  quarantine: { keptDays: 14 },
  alarms: { iteratorAgeMinutes: 15, staleIntervals: 3 },
};

const ENV = { ORDERS_API_URL: 'https://api.test/orders' };

test('settings become options, each in its place and unit', () => {
  const map = () => null;
  expect(toPollOptions(settings, map, ENV)).toEqual({
    pipeline: 'orders',
    source: {
      asks: '["https://api.test/orders",null]',
      fixed: { region: 'eu', kind: 'all' },
      pagination: { kind: 'cursor', param: 'cursor', next: ['meta', 'next'] },
      pageSize: { param: 'limit', value: 501 },
      incremental: {
        param: 'updated_since',
        path: ['meta', 'updated'],
        paramFormat: 'iso',
        fieldFormat: 'epoch-ms',
        horizonMs: 91_000,
        inclusive: false,
        ordered: false,
      },
    },
    records: { path: ['data', 'items'], keyedBy: undefined },
    rules: {
      pipeline: 'orders',
      key: [['order_id']],
      version: { path: ['rev'], format: 'integer' },
      eventTime: { path: ['at'], format: 'epoch-s' },
      partitionBy: [['customer', 'id']],
      deleted: ['meta', 'deleted_at'],
      map,
    },
    recordBytesMax: 1_048_577,
    requestsInFlight: 4,
    sourceTimeoutMs: 21_000,
    putTimeoutMs: 5_000,
    everyMs: 60_000,
    leaseMs: 31_000,
  });
});

test('orphans are removed of a source that is asked by token, unless the file says otherwise', () => {
  const { source } = settings;
  const incremental = {
    kind: 'token' as const,
    param: 'since',
    next: 'seq',
    expired: { status: [410] },
  };
  const orphansOf = (over: object) =>
    toPollOptions({ ...settings, source: { ...source, ...over } }, undefined, ENV).orphans;
  const orphans = { shareMax: 0.3 };
  const told = { shareMax: 0.3, keysMax: 250_000, partsMax: 16 };
  expect(orphansOf({ incremental, orphans })).toEqual(told);
  expect(orphansOf({ incremental, orphans: false })).toBeUndefined();
  expect(orphansOf({ orphans })).toBeUndefined();
  expect(orphansOf({ incremental: { kind: 'snapshot' }, orphans })).toBeUndefined();
  const deletes = { ...source, url: 'https://api.test/deleted', version: undefined };
  expect(orphansOf({ incremental, orphans, deletes })).toBeUndefined();
});

describe('records', () => {
  const { source } = settings;
  const told = (records: PipelineSettings['source']['records']) => ({
    place: toPollOptions({ ...settings, source: { ...source, records } }, undefined, ENV).records,
    form: toBodyRules({ ...source, records }).form,
  });

  test('are an array, the members of an object, or lines', () => {
    expect(told('')).toEqual({ place: { path: [], keyedBy: undefined }, form: 'json' });
    expect(told({ path: 'by.id', keyedBy: 'id' })).toEqual({
      place: { path: ['by', 'id'], keyedBy: 'id' },
      form: 'json',
    });
    expect(told({ lines: true })).toEqual({
      place: { path: [], keyedBy: undefined },
      form: 'lines',
    });
  });

  test('come in bodies that may pause, and may be errors', () => {
    const records = ['data', 'items'];
    expect(toBodyRules(source)).toEqual({
      form: 'json',
      records,
      errors: undefined,
      idleMs: 12_000,
    });
    const waitIf = { path: 'error.code', is: ['SLOW'] };
    expect(toBodyRules({ ...source, errors: { path: 'error', waitIf } }).errors).toEqual({
      path: ['error'],
      waitIf: { path: ['error', 'code'], values: ['SLOW'] },
    });
  });
});

describe('a setting', () => {
  test('is the environment’s value, else its default, else an error that names it', () => {
    const setting = { env: 'ORDERS_API_URL', default: 'http://default.test' };
    expect(resolveSetting(setting, { ORDERS_API_URL: 'http://set.test' })).toBe('http://set.test');
    expect(resolveSetting(setting, { ORDERS_API_URL: '' })).toBe('http://default.test');
    expect(resolveSetting('plain', {})).toBe('plain');
    expect(() => resolveSetting({ env: 'ORDERS_API_URL' }, {})).toThrow(
      'ORDERS_API_URL is not set',
    );
  });
});

describe('the environment', () => {
  const env = {
    PENSTOCK_STREAM: 'stream',
    PENSTOCK_STATE_TABLE: 'state',
    PENSTOCK_QUARANTINE_BUCKET: 'bucket',
    AWS_LAMBDA_FUNCTION_NAME: 'fn',
  };

  test('names what the template made', () => {
    expect(readPollEnvironment({ ...env, PENSTOCK_SECRET: 'secret' })).toEqual({
      streamName: 'stream',
      stateTableName: 'state',
      quarantineBucketName: 'bucket',
      functionName: 'fn',
      secretName: 'secret',
    });
    expect(readPollEnvironment(env).secretName).toBeUndefined();
  });

  test.each(Object.keys(env))('without %s is an error that names it', (name) =>
    expect(() => readPollEnvironment({ ...env, [name]: '' })).toThrow(`${name} is not set`),
  );
});
