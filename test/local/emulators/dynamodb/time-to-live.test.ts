import { expect } from 'vitest';
import { ruleTest } from '#test/local/rules/rule-test';
import { A, askDynamo, invalid } from './ask-dynamo.ts';
import { sale, SALES } from './indexed-table.ts';

const dynamo = askDynamo();
const { put, get } = dynamo;
const nowSec = () => dynamo.clock.nowMs / 1_000;
const MINUTE_MS = 60_000;

const setTimeToLive = (TableName: string, AttributeName: string, Enabled = true) =>
  dynamo.ask('UpdateTimeToLive', {
    TableName,
    TimeToLiveSpecification: { AttributeName, Enabled },
  });

ruleTest('dynamodb', 'expired-is-deleted', async () => {
  await put({ ...A, _expires: { N: String(nowSec() + 30) } });
  dynamo.clock.nowMs += MINUTE_MS;
  expect(await get(A)).toBeUndefined();
});

ruleTest('dynamodb', 'expired-is-readable', async () => {
  await put({ ...A, _expires: { N: String(nowSec() + 30) } });
  dynamo.clock.nowMs += MINUTE_MS - 1;
  expect(await get(A)).toMatchObject(A);
  const written = await dynamo.update(
    'SET n = :n',
    { ':n': { N: '1' } },
    { ReturnValues: 'ALL_NEW' },
  );
  expect(written['Attributes']).toMatchObject({
    n: { N: '1' },
    _expires: { N: String(nowSec() - 29.999).split('.')[0] },
  });
});

ruleTest('dynamodb', 'expiry-can-move', async () => {
  await put({ ...A, _expires: { N: String(nowSec() + 30) } });
  await dynamo.update('REMOVE #e', undefined, { ExpressionAttributeNames: { '#e': '_expires' } });
  dynamo.clock.nowMs += 10 * MINUTE_MS;
  expect(await get(A)).toEqual(A);
});

ruleTest('dynamodb', 'expiry-is-a-number', async () => {
  const item = { ...A, _expires: { S: String(nowSec() + 1) } };
  await put(item);
  dynamo.clock.nowMs += 10 * MINUTE_MS;
  expect(await get(A)).toEqual(item);
});

ruleTest('dynamodb', 'expired-long-ago', async () => {
  const item = { ...A, _expires: { N: String(nowSec() - 6 * 365 * 86_400) } };
  await put(item);
  dynamo.clock.nowMs += 10 * MINUTE_MS;
  expect(await get(A)).toEqual(item);
});

ruleTest('dynamodb', 'expired-leaves-indexes', async () => {
  await dynamo.ask('CreateTable', SALES);
  await setTimeToLive('sales', 'ends');
  await put({ ...sale('1', { city: 'c1' }), ends: { N: String(nowSec() + 1) } }, 'sales');
  dynamo.clock.nowMs += MINUTE_MS;
  const scan = await dynamo.ask('Scan', { TableName: 'sales', IndexName: 'by-city' });
  expect(scan['Count']).toBe(0);
});

ruleTest('dynamodb', 'time-to-live-later', async () => {
  await put({ ...A, at: { N: '1' }, ends: { N: String(nowSec() + 5) } }, 'events');
  await setTimeToLive('events', 'ends');
  expect(await dynamo.ask('DescribeTimeToLive', { TableName: 'events' })).toEqual({
    TimeToLiveDescription: { TimeToLiveStatus: 'ENABLED', AttributeName: 'ends' },
  });
  dynamo.clock.nowMs += MINUTE_MS;
  const { Table } = await dynamo.ask('DescribeTable', { TableName: 'events' });
  expect(Table).toMatchObject({ ItemCount: 0 });
});

ruleTest('dynamodb', 'time-to-live-once', async () => {
  await expect(setTimeToLive('orders', '_expires')).rejects.toMatchObject(
    invalid('TimeToLive is already enabled'),
  );
  await expect(setTimeToLive('orders', 'other')).rejects.toMatchObject(
    invalid('TimeToLive is active on a different AttributeName: current AttributeName is _expires'),
  );
  await expect(setTimeToLive('orders', 'other', false)).rejects.toMatchObject(
    invalid('TimeToLive is active on a different AttributeName'),
  );
  await setTimeToLive('orders', '_expires', false);
  await expect(setTimeToLive('orders', '_expires', false)).rejects.toMatchObject(
    invalid('TimeToLive is already disabled'),
  );
  expect(await dynamo.ask('DescribeTimeToLive', { TableName: 'orders' })).toEqual({
    TimeToLiveDescription: { TimeToLiveStatus: 'DISABLED' },
  });
});
