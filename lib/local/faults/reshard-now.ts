/** Splits or merges a shard while a stream is in use, as an operator would: over the wire protocol. */
import type { WireHandler } from '#local/contracts';
import type { OnceFault } from './fault-book.ts';

interface ListedShard {
  readonly ShardId: string;
  readonly HashKeyRange: { readonly StartingHashKey: string; readonly EndingHashKey: string };
  readonly SequenceNumberRange: { readonly EndingSequenceNumber?: string };
}

/** @throws {Error} in one sentence, when the stream or the shard does not allow it. */
export async function reshardNow(
  fault: OnceFault,
  { kinesis, streams }: { kinesis: WireHandler & { target: string }; streams: readonly string[] },
): Promise<void> {
  const ask = (operation: string, input: object) => call(kinesis, operation, input);
  const StreamName = named(fault.stream) ?? streams[0];
  if (StreamName === undefined) throw new Error('There is no stream.');
  const { Shards } = (await ask('ListShards', { StreamName })) as { Shards: ListedShard[] };
  const open = Shards.filter(
    (shard) => shard.SequenceNumberRange.EndingSequenceNumber === undefined,
  ).sort((a, b) => (startOf(a) < startOf(b) ? -1 : 1));
  const wanted = named(fault.shard);
  const at = wanted === undefined ? 0 : open.findIndex(({ ShardId }) => ShardId === wanted);
  const shard = open[at];
  if (shard === undefined) throw new Error(`Stream ${StreamName} has no open shard ${wanted}.`);
  if (fault.kind === 'split-shard') {
    const middle = (startOf(shard) + BigInt(shard.HashKeyRange.EndingHashKey)) / 2n + 1n;
    await ask('SplitShard', {
      StreamName,
      ShardToSplit: shard.ShardId,
      NewStartingHashKey: String(middle),
    });
    return;
  }
  const [left, right] = at + 1 < open.length ? [shard, open[at + 1]] : [open[at - 1], shard];
  if (left === undefined || right === undefined) {
    throw new Error(`Stream ${StreamName} has one open shard: there is none to merge it with.`);
  }
  await ask('MergeShards', {
    StreamName,
    ShardToMerge: left.ShardId,
    AdjacentShardToMerge: right.ShardId,
  });
}

function named(target: string | undefined): string | undefined {
  return target === '*' ? undefined : target;
}

function startOf({ HashKeyRange }: ListedShard): bigint {
  return BigInt(HashKeyRange.StartingHashKey);
}

async function call(
  kinesis: WireHandler & { target: string },
  operation: string,
  input: object,
): Promise<unknown> {
  const { status, body = '' } = await kinesis.handle({
    method: 'POST',
    path: '/',
    query: new URLSearchParams(),
    headers: { 'x-amz-target': `${kinesis.target}.${operation}` },
    body: Buffer.from(JSON.stringify(input)),
  });
  const text = Buffer.from(body).toString();
  const answer: unknown = text === '' ? {} : JSON.parse(text);
  if (status === 200) return answer;
  throw new Error((answer as { message?: string }).message ?? `${operation}: ${status}`);
}
