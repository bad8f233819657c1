/** Commands that hold a poller, run against a state table behind a real port. */
import { onTestFinished } from 'vitest';
import { pollControl } from '#cli/poll-control';
import { streamOnTheWire } from './stream-on-the-wire.ts';
import { runRecorded } from './run-recorded.ts';

export const BOUNDARY = '2021-06-12T15:58:30.000000000Z';
export const CURSOR = `{"v":1,"boundary":"${BOUNDARY}","seen":["aaaaaaaabbbbbbbbbbbbbbbb"],"run":null}`;

/** @returns how a command ended, the calls of DynamoDB and the reads of Kinesis so far, and the poller itself. */
export async function pollCommands() {
  const calls: string[] = [];
  const reads: string[] = [];
  const stream = await streamOnTheWire({
    onRead(_stream, shardId) {
      reads.push(shardId);
      return undefined;
    },
    onTable(_table, operation) {
      calls.push(operation);
      return undefined;
    },
  });
  onTestFinished(stream.close);
  return {
    ...stream,
    calls,
    /** The shards that were read, read by read. */
    reads,
    control: pollControl(stream.connection, 'dev'),
    /** @param typed what a person at a terminal answers; nobody sits there unless given. */
    run: (argv: readonly string[], typed?: string) =>
      runRecorded(
        [...argv, '--cloud', stream.endpoint],
        typed === undefined ? {} : { ask: async () => typed },
      ),
  };
}
