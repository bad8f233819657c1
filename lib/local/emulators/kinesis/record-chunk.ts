/** Records of one shard that arrived together, in one run of bytes. */

export interface ChunkRecord {
  readonly partitionKey: string;
  readonly data: Uint8Array;
}

/** Before each record: the bytes of its key, and of its data. */
const HEAD_BYTES = 8;

/** Grows to the largest chunk: a buffer a chunk would leave its holes between the database's pages. */
let scratch = Buffer.alloc(64 * 1024);

/** The answer is good until the next call: whoever keeps it copies it, as the database does. */
export function encodeChunk(records: readonly ChunkRecord[]): Uint8Array {
  const bytes = records.reduce((sum, record) => sum + bytesOf(record), 0);
  if (bytes > scratch.byteLength) scratch = Buffer.alloc(bytes);
  let at = 0;
  for (const { partitionKey, data } of records) {
    const keyBytes = scratch.write(partitionKey, at + HEAD_BYTES);
    scratch.writeUInt32LE(keyBytes, at);
    scratch.writeUInt32LE(data.byteLength, at + 4);
    scratch.set(data, at + HEAD_BYTES + keyBytes);
    at += HEAD_BYTES + keyBytes + data.byteLength;
  }
  return scratch.subarray(0, at);
}

function bytesOf({ partitionKey, data }: ChunkRecord): number {
  return HEAD_BYTES + Buffer.byteLength(partitionKey) + data.byteLength;
}

/** Each record in turn, with the bytes of its key and data; data is a view of the chunk. */
export function* decodeChunk(
  chunk: Uint8Array,
): Generator<ChunkRecord & { readonly bytes: number }> {
  const buffer = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
  for (let at = 0; at < buffer.byteLength;) {
    const keyBytes = buffer.readUInt32LE(at);
    const dataBytes = buffer.readUInt32LE(at + 4);
    const keyAt = at + HEAD_BYTES;
    const end = keyAt + keyBytes + dataBytes;
    yield {
      partitionKey: buffer.toString('utf8', keyAt, keyAt + keyBytes),
      data: chunk.subarray(keyAt + keyBytes, end),
      bytes: keyBytes + dataBytes,
    };
    at = end;
  }
}
