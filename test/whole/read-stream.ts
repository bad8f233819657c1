/** What is in a stream, as a reader beside the consumers sees it. */
import type { Deployment } from '#test/clouds/cloud';
import { readToTip } from '#cli/stream-reader';
import type { ReadRecord } from '#cli/stream-reader';

/** Every record of every shard, parents before children. */
export async function streamRecords(
  { connection }: Pick<Deployment, 'connection'>,
  stream: string,
): Promise<readonly ReadRecord[]> {
  const from = { kind: 'trim-horizon' } as const;
  const records: ReadRecord[] = [];
  for await (const record of readToTip(connection.kinesis, { stream, from })) records.push(record);
  return records;
}
