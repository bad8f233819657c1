/** Where tail begins and which records it prints; what ends a read; how lag is watched. */
import { DeleteStreamCommand, KinesisClient } from '@aws-sdk/client-kinesis';
import { expect, test, vi } from 'vitest';
import { readToTip } from '#cli/stream-reader';
import { PATIENTLY } from '#test/clouds/patience';
import { pollCommands } from './poll-commands.ts';
import { FIRST_SHARD } from './stream-on-the-wire.ts';

/** A client of a stream of one shard, whose reads are answered by script; the last is repeated. */
function scripted(pages: readonly object[]) {
  const client = new KinesisClient({
    region: 'eu-central-1',
    credentials: { accessKeyId: 'a', secretAccessKey: 's' },
  });
  let reads = 0;
  client.middlewareStack.add(
    (_next, { commandName }) =>
      async () => {
        if (commandName === 'ListShardsCommand') return answered({ Shards: [{ ShardId: 's' }] });
        if (commandName === 'GetShardIteratorCommand') return answered({ ShardIterator: 'n0' });
        return answered(pages[Math.min(reads++, pages.length - 1)] ?? {});
      },
    { step: 'initialize' },
  );
  return { client, reads: () => reads };
}

const answered = (output: object) => ({ output: { $metadata: {}, ...output }, response: {} });

test('an empty page with something behind it is no end of data: one more read is made [CONS-15]', async () => {
  const { client, reads } = scripted([
    { Records: [], MillisBehindLatest: 5_000, NextShardIterator: 'n1' },
    { Records: [], MillisBehindLatest: 0, NextShardIterator: 'n2' },
  ]);
  const read: unknown[] = [];
  const ask = { stream: 'orders', from: { kind: 'trim-horizon' } } as const;
  for await (const record of readToTip(client, ask)) read.push(record);
  expect({ read, reads: reads() }).toEqual({ read: [], reads: 2 });
});

test('CONS-19: tail, which waits for records, ends with the error of a read that fails', async () => {
  const { run, client, reads } = await pollCommands();
  const followed = run(['tail', 'orders', '--from', 'now']);
  await vi.waitFor(() => expect(reads.length).toBeGreaterThan(0), PATIENTLY);
  await client.send(new DeleteStreamCommand({ StreamName: 'penstock-dev-orders' }));
  const { code, err } = await followed;
  expect(code).toBe(1);
  expect(err).toContain('penstock-dev-orders');
});

/** The texts of the records that `tail` prints. */
async function tailed(run: Awaited<ReturnType<typeof pollCommands>>['run'], ...more: string[]) {
  const { code, out, err } = await run(['tail', 'orders', '--json', ...more]);
  expect({ code, err }).toEqual({ code: 0, err: '' });
  const rows = out.split('\n').filter(Boolean);
  return rows.map((row) => (JSON.parse(row) as { event: unknown }).event);
}

test('tail prints the records of one partition key, whichever shard holds them', async () => {
  const { run, put, split } = await pollCommands();
  await put(['1', '2'], '00123');
  await put(['3', '4']);
  await split();
  await put(['5'], '00123');
  await put(['6', '7']);
  expect(await tailed(run, '--key', '00123')).toEqual([1, 2, 5]);
  expect(await run(['tail', 'orders', '--json', '--key', '123'])).toEqual({
    code: 0,
    out: '',
    err: "No record of the key '123' is in the stream penstock-dev-orders from oldest on.\n",
  });
});

test('tail begins with the record of a sequence number', async () => {
  const { run, put, split } = await pollCommands();
  const [, second = ''] = await put(['1', '2', '3'], 'one-key');
  expect(await tailed(run, '--from', second)).toEqual([2, 3]);
  expect(await tailed(run, '--from', 'TRIM-HORIZON')).toEqual([1, 2, 3]);
  await split();
  expect(await tailed(run, '--from', second, '--shard', '0')).toEqual([2, 3]);
  expect(await run(['tail', 'orders', '--from', second])).toMatchObject({
    code: 2,
    err: expect.stringMatching(/^A sequence number is a place in one shard: --shard says which of/),
  });
  expect(await run(['tail', 'orders', '--shard', '7'])).toMatchObject({
    code: 2,
    err: 'penstock-dev-orders has no such shard: 7.\n',
  });
});

test('tail from now follows a shard into its children', async () => {
  const { run, put, split, reads } = await pollCommands();
  await put(['1'], 'one-key');
  const all = tailed(run, '--from', 'latest', '-n', '3');
  await vi.waitFor(() => expect(reads).not.toEqual([]), PATIENTLY);
  await put(['2'], 'one-key');
  await split();
  await put(['3', '4'], 'one-key');
  expect(await all).toEqual([2, 3, 4]);
});

test('lag shows both ends of a checkpoint, and --json all of it', async () => {
  const { run, put, checkpoint } = await pollCommands();
  const [sequence = ''] = await put(['1', '2'], 'one-key');
  await checkpoint(FIRST_SHARD, sequence);
  expect((await run(['lag', 'orders'])).out).toContain(
    `${sequence.slice(0, 8)}…${sequence.slice(-8)} `,
  );
  const { out } = await run(['lag', 'orders', '--json']);
  expect(JSON.parse(out)).toMatchObject([{ checkpoint: sequence, behindRecords: 1 }]);
});

test('lag --watch measures again and again, and Ctrl-C ends it well', async () => {
  const { run, calls } = await pollCommands();
  const ended = run(['lag', 'orders', '--watch', '--json']);
  await vi.waitFor(() => expect(calls.length).toBeGreaterThan(2), PATIENTLY);
  process.emit('SIGINT');
  const { code, out } = await ended;
  expect(code).toBe(0);
  const lines = out.trimEnd().split('\n');
  expect(lines.length).toBeGreaterThan(1);
  expect(JSON.parse(lines[0] ?? '')).toMatchObject([{ behindRecords: 0, checkpoint: null }]);
});
