/** Tells a watcher what clients wrote, by reading what passes; without a watcher nothing is read. */
import type { WireHandler, WireRequest, WireResponse } from './contracts.ts';

/** What one PutRecord or PutRecords did to one shard. */
export interface PutSeen {
  readonly stream: string;
  readonly shardId: string;
  readonly records: number;
  /** Data and partition keys of what was written. */
  readonly bytes: number;
  /** Entries answered with ProvisionedThroughputExceededException. */
  readonly throttled: number;
}

export interface ItemWriteSeen {
  readonly table: string;
  readonly outcome: 'written' | 'condition-failed' | 'refused';
}

interface PutEntry {
  readonly PartitionKey?: string;
  readonly Data?: string;
}

interface PutResult {
  readonly ShardId?: string;
  readonly ErrorCode?: string;
  readonly ErrorMessage?: string;
}

export function watchPuts(handler: WireHandler, onPut: (put: PutSeen) => void): WireHandler {
  return watching(handler, /\.PutRecords?$/, (input, output) => {
    const entries = (input['Records'] ?? [input]) as readonly PutEntry[];
    const results = (output['Records'] ?? [output]) as readonly PutResult[];
    const stream = String(input['StreamName'] ?? String(input['StreamARN']).split('/')[1]);
    const shards = new Map<string, { records: number; bytes: number; throttled: number }>();
    for (const [index, result] of results.entries()) {
      const shardId = result.ShardId ?? /shardId-\d+/.exec(result.ErrorMessage ?? '')?.[0];
      if (shardId === undefined) continue;
      const seen = shards.get(shardId) ?? { records: 0, bytes: 0, throttled: 0 };
      shards.set(shardId, seen);
      if (result.ShardId !== undefined) {
        seen.records += 1;
        seen.bytes += bytesOf(entries[index] ?? {});
      } else if (result.ErrorCode?.startsWith('ProvisionedThroughput') === true) {
        seen.throttled += 1;
      }
    }
    for (const [shardId, seen] of shards) onPut({ stream, shardId, ...seen });
  });
}

export function watchItemWrites(
  handler: WireHandler,
  onWrite: (write: ItemWriteSeen) => void,
): WireHandler {
  return watching(handler, /\.(UpdateItem|PutItem|DeleteItem)$/, (input, output, status) => {
    const conditionFailed = String(output['__type']).endsWith('ConditionalCheckFailedException');
    const outcome = status === 200 ? 'written' : conditionFailed ? 'condition-failed' : 'refused';
    onWrite({ table: String(input['TableName']), outcome });
  });
}

type JsonMembers = Readonly<Record<string, unknown>>;

function watching(
  handler: WireHandler,
  operations: RegExp,
  see: (input: JsonMembers, output: JsonMembers, status: number) => void,
): WireHandler {
  return {
    async handle(request) {
      const response = await handler.handle(request);
      if (operations.test(request.headers['x-amz-target'] ?? '') && response.hangUp !== true) {
        see(membersOf(request), membersOf(response), response.status);
      }
      return response;
    },
  };
}

function membersOf({ body = '' }: WireRequest | WireResponse): JsonMembers {
  try {
    const value: unknown = JSON.parse(
      typeof body === 'string' ? body : Buffer.from(body).toString(),
    );
    return typeof value === 'object' && value !== null ? (value as JsonMembers) : {};
  } catch {
    return {};
  }
}

function bytesOf({ Data = '', PartitionKey = '' }: PutEntry): number {
  return Buffer.byteLength(Data, 'base64') + Buffer.byteLength(PartitionKey);
}
