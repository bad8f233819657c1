/** penstock reshard, against a stream that is written and consumed. */
import { DescribeStreamSummaryCommand, UpdateStreamModeCommand } from '@aws-sdk/client-kinesis';
import { describe, expect, test } from 'vitest';
import { listShards } from '#cli/stream-reader';
import { consumingCloud } from './consuming-cloud.ts';
import { pollCommands } from './poll-commands.ts';
import { STREAM } from './stream-on-the-wire.ts';

const KEYS = Array.from({ length: 30 }, (_, at) => `order-${at}`);

test('CAPA-06: from one shard to five and to two while records flow: none lost, none reordered, and the table is right', async () => {
  const world = await consumingCloud();
  let version = 0;
  const over = new AbortController();
  const writing = (async () => {
    while (!over.signal.aborted) {
      await world.put(KEYS, ++version);
      await new Promise((resolve) => setImmediate(resolve));
    }
  })();
  const up = await world.run(['reshard', 'orders', '--to', '5', '--yes']);
  expect({ code: up.code, err: up.err }).toEqual({ code: 0, err: '' });
  expect(up.out).toMatch(/1 -> 2: active .*\n2 -> 4: active .*\n4 -> 5: active /);
  expect(await world.openShards()).toBe(5);
  const down = await world.run(['reshard', 'orders', '--to', '2', '--yes', '--json']);
  expect(JSON.parse(down.out)).toMatchObject({ from: 5, to: 2, steps: [3, 2], callsMade: 3 });
  expect(down.err).toContain('orders has drained what was closed.');
  over.abort();
  await writing;
  await world.cloud.untilIdle();

  expect(await world.openShards()).toBe(2);
  const records = await world.records();
  expect(records).toHaveLength(KEYS.length * version);
  const versions = Map.groupBy(records, ({ partitionKey }) => partitionKey);
  for (const one of versions.values()) {
    const seen = one.map(({ data }) => versionOf(data));
    expect(seen).toEqual(Array.from({ length: version }, (_, at) => at + 1));
  }
  const expected = KEYS.map((key, at) => [key, (at + version) % 5 === 0 ? 'gone' : `${version}`]);
  expect([...(await world.rows())]).toEqual((expected as [string, string][]).toSorted());
});

function versionOf(data: Uint8Array): number {
  return Number((JSON.parse(Buffer.from(data).toString()) as { version: string }).version);
}

describe('before anything is done', () => {
  test('it says the calls, what is left of them, and what to edit', async () => {
    const { run } = await pollCommands();
    const { code, out } = await run(['reshard', 'orders', '--to', '3', '--dry-run']);
    expect(code).toBe(0);
    expect(out.split('\n')).toEqual([
      'orders: 1 to 3 shards, in 2 calls of UpdateShardCount:',
      '  1 -> 2: takes 2.1 MB and 2,000 records a second',
      '  2 -> 3: takes 3.1 MB and 3,000 records a second',
      expect.stringMatching(
        /^After that, 8 of the 10 calls in 24 hours are left .* in the account.$/,
      ),
      'Records are taken and delivered meanwhile, each key in order: shards are closed and followed by others.',
      'Nothing was changed.',
      "pipelines/orders.ts counts 2 shards from its load: a deployment that changes the stack's number sets it back to what the file counts.",
      'Edit it: stream.load.recordsPerSecPeak: 2400 (now 1500), then npx cdk deploy penstock-dev-orders-data.',
      '',
    ]);
  });

  test.each([
    [['--to', 'many', '--yes'], 2, "--to must be a whole number, not 'many'.\n"],
    [['--to', '0'], 2, '--to must be 1 to 10000 shards, not 0.\n'],
    [['--to', '20000', '--yes'], 2, '--to must be 1 to 10000 shards, not 20000.\n'],
    [['--to', '2'], 2, 'There is no terminal to ask at: --yes agrees, --dry-run only shows.\n'],
  ])('%j is refused in one sentence', async (argv, code, err) => {
    const { run } = await pollCommands();
    expect(await run(['reshard', 'orders', ...argv])).toEqual({ code, out: '', err });
  });

  test('several people ask in one second, and each is answered', async () => {
    const { run } = await pollCommands();
    const all = Array.from({ length: 5 }, () =>
      run(['reshard', 'orders', '--to', '3', '--dry-run']),
    );
    expect((await Promise.all(all)).map(({ code, err }) => [code, err])).toEqual(
      Array.from({ length: 5 }, () => [0, '']),
    );
  });

  test('another name than its own does nothing', async () => {
    const { run, client } = await pollCommands();
    const { code, err } = await run(['reshard', 'orders', '--to', '2'], 'odrers');
    expect([code, err]).toEqual([1, 'Nothing was changed: orders was not typed.\n']);
    expect(await listShards(client, STREAM)).toHaveLength(1);
  });

  test('a stream on demand is refused, with what to do', async () => {
    const { run, client } = await pollCommands();
    const ask = new DescribeStreamSummaryCommand({ StreamName: STREAM });
    const { StreamDescriptionSummary: found } = await client.send(ask);
    await client.send(
      new UpdateStreamModeCommand({
        StreamARN: found?.StreamARN,
        StreamModeDetails: { StreamMode: 'ON_DEMAND' },
      }),
    );
    const { code, err } = await run(['reshard', 'orders', '--to', '2', '--yes']);
    expect(code).toBe(2);
    expect(err).toMatch(
      /^orders is on demand: AWS adds and removes its shards.*pipelines|orders.ts/,
    );
  });
});

test('the calls of a day are counted, and one too many is refused before the first', async () => {
  const { run } = await pollCommands();
  for (const to of ['2', '1', '2', '1', '2', '1', '2', '1']) {
    expect((await run(['reshard', 'orders', '--to', to, '--yes'])).code).toBe(0);
  }
  expect(await run(['reshard', 'orders', '--to', '8', '--yes'])).toMatchObject({
    code: 1,
    err: 'orders: it takes 3 calls from 1 to 8 shards, and 2 of the 10 in 24 hours are left.\n',
  });
});
