/** What Kinesis refuses and limits, and how it is read. */
import {
  GetRecordsCommand,
  GetShardIteratorCommand,
  KinesisClient,
  PutRecordsCommand,
} from '@aws-sdk/client-kinesis';
import type { GetShardIteratorCommandInput } from '@aws-sdk/client-kinesis';
import { expect, onTestFinished, vi } from 'vitest';
import { LOCAL_CREDENTIALS } from '#cli/choose-cloud';
import { capabilityTest } from '#test/clouds/cloud-test';
import { probeApps } from '#test/clouds/probes';
import type { Probes } from '#test/clouds/probes';
import { PATIENTLY } from '#test/clouds/patience';

const MIB = 1_048_576;
const HALF_MIB = 'x'.repeat(MIB / 2);

const probesIn = probeApps({
  rules: { probed: { quiet: undefined, records: undefined, bytes: undefined } },
  unread: { probed: { stream: {} }, mayRead: false },
});

const texts = (count: number, text = 'x') =>
  Array.from({ length: count }, (_, i) => ({ key: `key-${i}`, text }));

capabilityTest(
  'iterator-at-timestamp',
  'an iterator at a time begins with what arrived since',
  async (cloud) => {
    const probes = await probesIn(cloud, 'rules');
    await probes.put('quiet', 'early');
    const [early] = await readAll(probes, { ShardIteratorType: 'TRIM_HORIZON' }, 1);
    const Timestamp = new Date(early!.arrivalMs + 1_000);
    await vi.waitFor(() => expect(Date.now()).toBeGreaterThan(Timestamp.getTime()), PATIENTLY);
    await probes.put('quiet', 'late');
    const late = await readAll(probes, { ShardIteratorType: 'AT_TIMESTAMP', Timestamp }, 1);
    expect(late.map(({ text }) => text)).toEqual(['late']);
  },
);

capabilityTest(
  'http2-reads',
  'a client as the SDK makes it, over HTTP/2, reads 500 records at once',
  async (cloud) => {
    const probes = await probesIn(cloud, 'rules');
    await probes.put('quiet', ...texts(500, 'x'.repeat(200)));
    const { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey } =
      LOCAL_CREDENTIALS;
    const kinesis = new KinesisClient({
      endpoint: probes.endpoint,
      region: LOCAL_CREDENTIALS.AWS_REGION,
      credentials: { accessKeyId, secretAccessKey },
    });
    onTestFinished(() => kinesis.destroy());
    const read = await readAll(probes, { ShardIteratorType: 'TRIM_HORIZON' }, 500, kinesis);
    expect(read.length).toBeGreaterThanOrEqual(500);
  },
);

capabilityTest(
  'permissions',
  'a mapping is refused whose function may not read the stream',
  async (cloud) => {
    const deployed = probesIn(cloud, 'unread').then(() => 'deployed');
    await expect(deployed).rejects.toThrow(/not authorized|permission/i);
  },
);

capabilityTest('put-records-count', '501 records in one request are refused', async (cloud) => {
  const { put } = await probesIn(cloud, 'rules');
  await expect(put('quiet', ...texts(501))).rejects.toThrow(/500/);
});

capabilityTest('request-bytes', 'a request of more than 10 MiB is refused', async (cloud) => {
  const { put } = await probesIn(cloud, 'rules');
  await expect(put('quiet', ...texts(21, HALF_MIB))).rejects.toThrow(/10485760|10 ?M/i);
});

capabilityTest('record-bytes', 'a record of more than 1 MiB is refused', async (cloud) => {
  const { put } = await probesIn(cloud, 'rules');
  await expect(put('quiet', ...texts(1, 'x'.repeat(MIB + 1)))).rejects.toThrow(/too large|1048576/);
});

capabilityTest(
  'shard-records-rate',
  'a shard takes no more than 1,000 records a second',
  async (cloud) => {
    const probes = await probesIn(cloud, 'rules');
    expect(await errorsOf(probes, 'records', Array(6).fill(texts(500)))).toContain(THROTTLED);
  },
);

capabilityTest('shard-bytes-rate', 'a shard takes no more than 1 MiB a second', async (cloud) => {
  const probes = await probesIn(cloud, 'rules');
  expect(await errorsOf(probes, 'bytes', [texts(4, HALF_MIB)])).toContain(THROTTLED);
});

const THROTTLED = 'ProvisionedThroughputExceededException';

/** The errors of the entries of some requests at once. */
async function errorsOf(
  { connection, stream }: Probes,
  name: string,
  requests: readonly ReturnType<typeof texts>[],
): Promise<readonly (string | undefined)[]> {
  const answers = await Promise.all(
    requests.map((records) => {
      const Records = records.map(({ key, text }) => ({
        PartitionKey: key,
        Data: Buffer.from(text),
      }));
      return connection.kinesis.send(new PutRecordsCommand({ StreamName: stream(name), Records }));
    }),
  );
  return answers.flatMap(({ Records: entries = [] }) => entries.map(({ ErrorCode }) => ErrorCode));
}

type Place = Pick<GetShardIteratorCommandInput, 'ShardIteratorType' | 'Timestamp'>;

/** Reads the quiet stream until that many records are read. */
async function readAll(
  { connection, stream }: Probes,
  place: Place,
  count: number,
  kinesis = connection.kinesis,
) {
  const at = { StreamName: stream('quiet'), ShardId: 'shardId-000000000000', ...place };
  let { ShardIterator } = await kinesis.send(new GetShardIteratorCommand(at));
  const read: { readonly text: string; readonly arrivalMs: number }[] = [];
  await vi.waitFor(async () => {
    const { Records = [], NextShardIterator } = await kinesis.send(
      new GetRecordsCommand({ ShardIterator, Limit: 500 }),
    );
    ShardIterator = NextShardIterator;
    for (const { Data = new Uint8Array(), ApproximateArrivalTimestamp: arrival } of Records) {
      read.push({ text: Buffer.from(Data).toString(), arrivalMs: arrival?.getTime() ?? 0 });
    }
    expect(read.length).toBeGreaterThanOrEqual(count);
  }, PATIENTLY);
  return read;
}
