/** What the judge is given, read over real ports. */
import { createServer } from 'node:http';
import { expect, test } from 'vitest';
import { connect } from '#cli/connection';
import { listQuarantine, reasonOf } from '#cli/quarantine-reader';
import { readTruthSummary, sightingOf } from '#cli/reconcile/gather';
import { createObjects } from '#local/emulators/objects/objects';
import { openStorage } from '#local/storage';
import { SYSTEM_CLOCK } from '#local/system-clock';
import { openWire } from '#local/wire';
import { whileListening } from '#test/demo/running-server';

const PLACES = { key: 'order_id', change: 'revision' };
const sighting = (text: string | Uint8Array) =>
  sightingOf({ data: typeof text === 'string' ? Buffer.from(text) : text }, PLACES);

test('a record is sighted by its event’s id, its row’s key and its change', () => {
  expect(sighting('{"id":"a@1#d","data":{"order_id":"a","revision":12}}')).toEqual({
    id: 'a@1#d',
    key: 'a',
    change: '12',
  });
});

test.each([
  ['no JSON'],
  ['[]'],
  ['null'],
  ['{"id":"a"}'],
  ['{"data":{"order_id":"a","revision":1}}'],
  ['{"id":"a","data":{"revision":1}}'],
  ['{"id":"a","data":{"order_id":"a"}}'],
  ['{"id":"a","data":{"order_id":"a","revision":"x"}}'],
  [Uint8Array.of(0xff)],
])('what is no event of a row is not sighted: %j', (text) => {
  expect(sighting(text)).toBeUndefined();
});

test('a source is asked for its truth beside its path, without rows', async () => {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? '');
    response.end('{"quiet":true}');
  });
  await whileListening(server, async (url) => {
    expect(await readTruthSummary(`${url}/orders`)).toEqual({ quiet: true });
  });
  expect(asked).toEqual(['/truth?rows=none']);
});

test('every object of a quarantine bucket is listed, beyond one page, and tells its reason', async () => {
  const objects = createObjects({ storage: openStorage(), clock: SYSTEM_CLOCK });
  objects.buckets.createBucket('penstock-demo-orders-refused-1-r');
  const keys = Array.from(
    { length: 1_203 },
    (_, at) => `poll/no-key/2026/03/01/${String(at).padStart(5, '0')} &+.json`,
  );
  for (const key of keys)
    objects.buckets.put('penstock-demo-orders-refused-1-r', key, Buffer.from('{}'));
  const wire = await openWire({ targets: {}, paths: [{ matches: () => true, handler: objects }] });
  const connection = connect(wire.url, {});
  const send = await connection.signed('s3');
  const listed = await listQuarantine(send, 'penstock-demo-orders-refused-1-r');
  expect(listed).toEqual(keys);
  expect(new Set(listed.map(reasonOf))).toEqual(new Set(['no-key']));
  await expect(listQuarantine(send, 'another-bucket')).rejects.toThrow(
    'The bucket another-bucket is missing: is it deployed in this stage?',
  );
  connection.close();
  await wire.close();
});
