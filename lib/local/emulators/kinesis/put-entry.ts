/** One entry of a put, out of a request that was checked. */
import { ServiceError } from '#local/aws-json';
import type { JsonInput } from '#local/aws-json';
import { HASH_KEY_MAX } from './hash-ring.ts';
import { refused } from './refused.ts';
import type { KinesisState } from './state.ts';
import type { Stream } from './stream.ts';

export interface PutEntry {
  readonly partitionKey: string;
  readonly data: Uint8Array;
  /** Of data and key: what every limit counts. */
  readonly bytes: number;
  readonly explicitHashKey: bigint | undefined;
}

/** @throws {ServiceError} when data is no base64, or the hash key lies beyond the ring. */
export function parseEntry(record: JsonInput): PutEntry {
  const partitionKey = String(record['PartitionKey']);
  const data = decodeBase64(String(record['Data']));
  return {
    partitionKey,
    data,
    bytes: data.byteLength + Buffer.byteLength(partitionKey),
    explicitHashKey: parseHashKey(record['ExplicitHashKey']),
  };
}

/** @throws {ServiceError} InvalidArgumentException, when a record or all of them are too large. */
export function checkSizes(
  state: KinesisState,
  stream: Stream,
  entries: readonly PutEntry[],
): void {
  let requestBytes = 0;
  for (const { bytes } of entries) {
    requestBytes += bytes;
    if (bytes > stream.recordBytesMax) {
      throw refused(
        `The record's size of ${bytes} bytes, partition key included, exceeds the stream's maximum of ` +
          `${stream.recordBytesMax} bytes.`,
      );
    }
  }
  if (requestBytes > state.limits.requestBytesMax) {
    throw refused(
      `Records size of ${requestBytes} bytes exceeds ${state.limits.requestBytesMax} bytes.`,
    );
  }
}

/** Node's decoder leaves out what is no base64: then there are fewer bytes than there must be. */
function decodeBase64(text: string): Uint8Array {
  const data = Buffer.from(text, 'base64');
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0;
  const isWhole = data.byteLength === (text.length / 4) * 3 - padding;
  if (isWhole && !text.includes('-') && !text.includes('_')) return data;
  throw new ServiceError(
    'SerializationException',
    'Data is no base64 text: it has other characters.',
  );
}

function parseHashKey(text: unknown): bigint | undefined {
  if (text === undefined || text === null) return undefined;
  const value = BigInt(String(text));
  if (value <= HASH_KEY_MAX) return value;
  throw refused(
    `Invalid ExplicitHashKey. ExplicitHashKey must be in the range: [0, 2^128-1]. Specified value was ${value}`,
  );
}
