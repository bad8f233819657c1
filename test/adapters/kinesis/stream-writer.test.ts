import { createServer } from 'node:http';
import type { ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { KinesisClient, PutRecordsCommand } from '@aws-sdk/client-kinesis';
import fc from 'fast-check';
import { afterEach, describe, expect, test } from 'vitest';
import { AwsError } from '#adapters/aws/aws-error';
import { clientOptions } from '#adapters/aws/client-options';
import { kinesisStreamWriter } from '#adapters/kinesis/stream-writer';
import type { OutgoingRecord, PartitionKey } from '#core/record/records';
import { publish } from '#pipeline/publish';
import { publishWorld } from '#test/pipeline/publish-world';

const STREAM = 'penstock-dev-orders';

const closing: (() => void)[] = [];
afterEach(() => closing.splice(0).forEach((close) => close()));

/** A Kinesis of one operation, which answers by script; the last answer is repeated. */
const kinesis = (...script: ((response: ServerResponse) => void)[]) =>
  kinesisWithin(60_000, script);

/** @param requestTimeoutMs how long the writer waits for an answer. */
async function kinesisWithin(
  requestTimeoutMs: number,
  script: readonly ((response: ServerResponse) => void)[],
) {
  const bodies: { StreamName: string; Records: { PartitionKey: string; Data: string }[] }[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      bodies.push(JSON.parse(Buffer.concat(chunks).toString()));
      script[Math.min(bodies.length, script.length) - 1]!(response);
    });
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const client = new KinesisClient({
    region: 'eu-central-1',
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    credentials: { accessKeyId: 'a', secretAccessKey: 's' },
    ...clientOptions({ requestTimeoutMs, concurrency: 4 }),
  });
  closing.push(() => {
    client.destroy();
    server.closeAllConnections();
    server.close();
  });
  return { writer: kinesisStreamWriter(client, STREAM), client, bodies };
}

const json = (status: number, body: object) => (response: ServerResponse) =>
  response
    .writeHead(status, { 'content-type': 'application/x-amz-json-1.1' })
    .end(JSON.stringify(body));
const written = (sequence: string) => ({ SequenceNumber: sequence, ShardId: 's0' });
const throttled = { ErrorCode: 'ProvisionedThroughputExceededException', ErrorMessage: 'm' };
const record = (key: string): OutgoingRecord => ({
  partitionKey: key as PartitionKey,
  data: new TextEncoder().encode(`data of ${key}`),
});

describe('PutRecords', () => {
  test('is sent with keys and data, in order', async () => {
    const { writer, bodies } = await kinesis(json(200, { Records: [written('1'), written('2')] }));
    expect(await writer.put([record('a'), record('b')])).toEqual([
      { kind: 'written', sequenceNumber: '1', shardId: 's0' },
      { kind: 'written', sequenceNumber: '2', shardId: 's0' },
    ]);
    expect(bodies).toEqual([
      {
        StreamName: 'penstock-dev-orders',
        Records: [
          { PartitionKey: 'a', Data: btoa('data of a') },
          { PartitionKey: 'b', Data: btoa('data of b') },
        ],
      },
    ]);
  });

  test('is the body that the SDK writes, whatever keys and data are, and wherever data lies', async () => {
    const { writer, client, bodies } = await kinesis(json(200, { Records: [] }));
    const slab = new Uint8Array(64).map((_, at) => at * 37);
    const places = fc.tuple(fc.nat(64), fc.nat(64)).map(([a, b]) => slab.subarray(a, b));
    const data = fc.oneof(fc.uint8Array({ maxLength: 20 }), places);
    const key = fc.string({ unit: 'binary', minLength: 1, maxLength: 9 });
    const records = fc.array(fc.record({ partitionKey: key, data }), { minLength: 1 });
    await fc.assert(
      fc.asyncProperty(records, async (some) => {
        bodies.length = 0;
        await writer.put(some as unknown as OutgoingRecord[]);
        const Records = some.map((one) => ({ PartitionKey: one.partitionKey, Data: one.data }));
        await client.send(new PutRecordsCommand({ StreamName: STREAM, Records }));
        expect(bodies[0]).toEqual(bodies[1]);
      }),
    );
  });

  test('beside others keeps its body to itself', async () => {
    const { writer, bodies } = await kinesis(json(200, { Records: [written('1')] }));
    // More than a socket takes at once: it is read from while others are made.
    const large = (key: string) => ({ ...record(key), data: Buffer.alloc(4_000_000, key) });
    for (let round = 0; round < 2; round++)
      await Promise.all(['a', 'b', 'c'].map((key) => writer.put([large(key)])));
    const entries = bodies.flatMap(({ Records }) => Records);
    expect(
      entries
        .map(({ PartitionKey }) => PartitionKey)
        .toSorted()
        .join(''),
    ).toBe('aabbcc');
    for (const { PartitionKey, Data } of entries)
      expect(large(PartitionKey).data.equals(Buffer.from(Data, 'base64'))).toBe(true);
  });

  test('of nothing is not sent', async () => {
    const { writer, bodies } = await kinesis(json(500, {}));
    expect(await writer.put([])).toEqual([]);
    expect(bodies).toEqual([]);
  });

  test('PROD-01: failures inside an answer of status 200 are seen, entry by entry', async () => {
    const failed = { ErrorCode: 'InternalFailure', ErrorMessage: 'Internal Service Failure' };
    const { writer } = await kinesis(
      json(200, { FailedRecordCount: 2, Records: [written('1'), throttled, failed] }),
    );
    expect(await writer.put([record('r0'), record('r1'), record('r2')])).toEqual([
      { kind: 'written', sequenceNumber: '1', shardId: 's0' },
      { kind: 'throttled' },
      { kind: 'failed', code: 'InternalFailure' },
    ]);
  });

  test('PROD-02: of a large answer with members that nobody knows, only what failed is sent again', async () => {
    const answer = [
      ...Array.from({ length: 31 }, (_, at) => written(String(at + 1))),
      ...Array.from({ length: 469 }, () => throttled),
    ];
    const { writer, bodies } = await kinesis(
      json(200, { EncryptionType: 'KMS', FailedRecordCount: 469, Unknown: [{}], Records: answer }),
      json(200, {
        EncryptionType: 'KMS',
        FailedRecordCount: 0,
        Records: answer.slice(31).map((_, at) => written(String(at + 99))),
      }),
    );
    const records = Array.from({ length: 500 }, (_, at) => {
      const outgoing = record(`r${at}`);
      return { partitionKey: `r${at}`, bytes: 11, record: outgoing };
    });
    await publish(records, { pipeline: 'orders' }, publishWorld(writer));
    const sent = bodies.map(({ Records }) =>
      Records.map(({ PartitionKey }: { PartitionKey: string }) => PartitionKey),
    );
    expect(sent.map(({ length }) => length)).toEqual([500, 469]);
    expect(sent[1]).toEqual(sent[0]?.slice(31));
  });

  test('ended early, it is unknown what became of it, and no socket is left', async () => {
    const { writer } = await kinesis(() => undefined);
    const controller = new AbortController();
    const answer = writer.put([record('a')], controller.signal);
    controller.abort();
    expect(await answer).toMatchObject([{ kind: 'unknown', cause: { name: 'AbortError' } }]);
  });

  test('PROD-01: exactly the entry that failed is sent again, and all three arrive', async () => {
    const { writer, bodies } = await kinesis(
      json(200, { FailedRecordCount: 1, Records: [written('1'), throttled, written('2')] }),
      json(200, { FailedRecordCount: 0, Records: [written('3')] }),
    );
    const records = ['r0', 'r1', 'r2'].map((key) => {
      const outgoing = record(key);
      return { partitionKey: key, bytes: 11, record: outgoing };
    });
    await publish(records, { pipeline: 'orders' }, publishWorld(writer));
    expect(bodies.map(({ Records }) => Records.map((r) => r.PartitionKey))).toEqual([
      ['r0', 'r1', 'r2'],
      ['r1'],
    ]);
  });

  test.each([
    'ProvisionedThroughputExceededException',
    'LimitExceededException',
    'KMSThrottlingException',
    'ThrottlingException',
  ])('that is answered %s as a whole is throttled, every entry', async (__type) => {
    const { writer } = await kinesis(json(400, { __type, message: 'slow down' }));
    const outcomes = await writer.put([record('a'), record('b')]);
    expect(outcomes).toEqual([{ kind: 'throttled' }, { kind: 'throttled' }]);
  });

  test.each<[string, (response: ServerResponse) => void]>([
    ['PROD-16: whose connection closes after it was sent', (response) => response.destroy()],
    ['that is answered status 500', json(500, { __type: 'InternalFailureException' })],
    ['that is answered with too few entries', json(200, { Records: [written('1')] })],
  ])('%s is unknown, every entry, and is not sent again out of sight', async (_what, answer) => {
    const { writer, bodies } = await kinesis(answer);
    const outcomes = await writer.put([record('a'), record('b')]);
    expect(outcomes.map(({ kind }) => kind)).toEqual(['unknown', 'unknown']);
    expect(bodies).toHaveLength(1);
  });

  test('that is never answered is unknown, every entry, and is not sent again out of sight', async () => {
    const { writer, bodies } = await kinesisWithin(1_500, [() => undefined]);
    const outcomes = await writer.put([record('a'), record('b')]);
    expect(outcomes.map(({ kind }) => kind)).toEqual(['unknown', 'unknown']);
    expect(bodies).toHaveLength(1);
  });

  test.each(['ResourceNotFoundException', 'AccessDeniedException', 'KMSDisabledException'])(
    'that is answered %s is an error that no retry can help',
    async (__type) => {
      const { writer } = await kinesis(json(400, { __type, message: 'no' }));
      const error = await writer.put([record('a')]).catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(AwsError);
      expect(error).toMatchObject({
        retryable: false,
        message: `writing to the stream penstock-dev-orders: ${__type}: no`,
      });
    },
  );
});
