/** The stream of orders with its consumer, in a cloud of this process, for commands to speak to. */
import { DeleteItemCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import {
  DescribeStreamSummaryCommand,
  KinesisClient,
  MergeShardsCommand,
  PutRecordsCommand,
  SplitShardCommand,
  UpdateShardCountCommand,
} from '@aws-sdk/client-kinesis';
import { expect, onTestFinished, vi } from 'vitest';
import { loadAll, pick } from '#cli/load';
import { listShards, readToTip } from '#cli/stream-reader';
import type { ReadRecord } from '#cli/stream-reader';
import { scanAll } from '#cli/table-reader';
import { consumeHandler } from '#functions/consume/handler';
import { startCloud } from '#local/cloud';
import type { Fault } from '#local/faults/fault';
import { consumerTemplate } from '#test/local/consumer-template';
import { eventOf } from '#test/pipeline/consume-world';
import { PATIENTLY } from '#test/clouds/patience';
import { runRecorded } from './run-recorded.ts';

export const STREAM = 'penstock-dev-orders';
const TABLE = 'penstock-dev-orders-orders';
const CONSUME = 'penstock-dev-orders-consume-orders';

export interface ConsumingCloudAsk {
  readonly shards?: number;
  readonly faults?: readonly Fault[];
  /** What an invocation goes through before the handler gets it. */
  readonly enter?: (event: { readonly passage?: string }) => void | Promise<void>;
}

export async function consumingCloud({ shards = 1, faults = [], enter }: ConsumingCloudAsk = {}) {
  const settings = pick(await loadAll('dev'), 'orders');
  let consume: ReturnType<typeof consumeHandler> | undefined;
  const cloud = await startCloud({
    template: consumerTemplate({
      stream: STREAM,
      shards,
      table: TABLE,
      keyName: 'order_id',
      stateTable: 'penstock-dev-state',
      bucket: 'refused',
      functionName: CONSUME,
    }),
    faults,
    handlers: {
      async [CONSUME](event, context) {
        await enter?.(event as { passage?: string });
        consume ??= consumeHandler(settings, 'orders', { requestHandler: cloud.requestHandler });
        return consume(event as never, context as never);
      },
    },
  });
  onTestFinished(() => cloud.stop());
  const kinesis = new KinesisClient(cloud.client);
  const dynamodb = new DynamoDBClient(cloud.client);
  const open = async () =>
    (await listShards(kinesis, STREAM)).filter(
      ({ SequenceNumberRange: range }) => range?.EndingSequenceNumber === undefined,
    );
  const isActive = () =>
    vi.waitFor(async () => {
      const ask = new DescribeStreamSummaryCommand({ StreamName: STREAM });
      const { StreamDescriptionSummary: found } = await kinesis.send(ask);
      expect(found?.StreamStatus).toBe('ACTIVE');
    }, PATIENTLY);

  return {
    cloud,
    kinesis,
    /** Puts the next version of each key, in order; a fifth of them are deletes. */
    async put(keys: readonly string[], version: number): Promise<void> {
      let left = keys.map((key, at) => ({
        PartitionKey: key,
        Data: Buffer.from(
          JSON.stringify(
            eventOf({
              key,
              version,
              deleted: (at + version) % 5 === 0,
              data: { order_id: key, version },
            }),
          ),
        ),
      }));
      // What a shard throttles goes again before any newer version of its key.
      while (left.length > 0) {
        const ask = new PutRecordsCommand({ StreamName: STREAM, Records: left });
        const { Records = [] } = await kinesis.send(ask);
        left = left.filter((_, at) => Records[at]?.ErrorCode !== undefined);
      }
    },
    async split(): Promise<void> {
      const [shard] = await open();
      const { StartingHashKey: start = '0', EndingHashKey: end = '0' } = shard?.HashKeyRange ?? {};
      const middle = String((BigInt(start) + BigInt(end)) / 2n);
      const ShardToSplit = shard?.ShardId;
      const place = { StreamName: STREAM, ShardToSplit, NewStartingHashKey: middle };
      await kinesis.send(new SplitShardCommand(place));
      await isActive();
    },
    async merge(): Promise<void> {
      const [low, high] = (await open()).toSorted((a, b) =>
        BigInt(a.HashKeyRange?.StartingHashKey ?? 0) < BigInt(b.HashKeyRange?.StartingHashKey ?? 0)
          ? -1
          : 1,
      );
      const place = { ShardToMerge: low?.ShardId, AdjacentShardToMerge: high?.ShardId };
      await kinesis.send(new MergeShardsCommand({ StreamName: STREAM, ...place }));
      await isActive();
    },
    async scale(target: number): Promise<void> {
      const scaling = { TargetShardCount: target, ScalingType: 'UNIFORM_SCALING' } as const;
      await kinesis.send(new UpdateShardCountCommand({ StreamName: STREAM, ...scaling }));
      await isActive();
    },
    openShards: async () => (await open()).length,
    async records(): Promise<readonly ReadRecord[]> {
      const records: ReadRecord[] = [];
      const ask = { stream: STREAM, from: { kind: 'trim-horizon' } as const };
      for await (const record of readToTip(kinesis, ask)) records.push(record);
      return records;
    },
    /** What stands of each key: its version, or that it is gone. */
    async rows(): Promise<ReadonlyMap<string, string>> {
      const items = await scanAll(dynamodb, TABLE);
      const rows = items.map((item): [string, string] => [
        item['order_id']?.S ?? '',
        item['_deleted'] === undefined ? `${Number(item['_version']?.S)}` : 'gone',
      ]);
      return new Map(rows.toSorted());
    },
    async emptyTable(): Promise<void> {
      for (const { order_id: id } of await scanAll(dynamodb, TABLE)) {
        await dynamodb.send(new DeleteItemCommand({ TableName: TABLE, Key: { order_id: id! } }));
      }
    },
    /** A command against this cloud. @param typed what a person at a terminal answers. */
    run: (argv: readonly string[], typed?: string) =>
      runRecorded(
        [...argv, '--cloud', cloud.endpoint],
        typed === undefined ? {} : { ask: async () => typed },
      ),
  };
}

export type ConsumingCloud = Awaited<ReturnType<typeof consumingCloud>>;
