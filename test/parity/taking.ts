/** The plainest question. */
import type { KinesisAsker } from './kinesis-asker.ts';
import type { ParityQuestion } from './parity.ts';

/** Whether something is taken by a fresh stream of two shards. */
export const taking = (
  id: string,
  asks: string,
  call: (asker: KinesisAsker, StreamName: string) => Promise<unknown>,
): ParityQuestion<KinesisAsker> => ({
  id,
  asks,
  async ask(asker) {
    await call(asker, await asker.stream(2));
    return 'taken';
  },
});
