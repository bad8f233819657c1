/** The local cloud's own answers. */
import type { Clock } from '#local/contracts';
import { createKinesis } from '#local/emulators/kinesis/kinesis';
import { openStorage } from '#local/storage';
import { SYSTEM_CLOCK } from '#local/system-clock';
import { openWire } from '#local/wire';
import { kinesisAsker } from './kinesis-asker.ts';
import type { KinesisAsker } from './kinesis-asker.ts';
import { askAll } from './parity.ts';
import type { Answers, ParityQuestion } from './parity.ts';

const START_MS = SYSTEM_CLOCK.nowMs();
const TIMES_SLOWER = 20;
/** What is asked at once falls into one second, however long a busy machine takes for it. */
const SLOW_CLOCK: Clock = {
  ...SYSTEM_CLOCK,
  nowMs: () => START_MS + Math.floor((SYSTEM_CLOCK.nowMs() - START_MS) / TIMES_SLOWER),
};

export async function ourKinesisAnswers(
  questions: readonly ParityQuestion<KinesisAsker>[],
): Promise<Answers> {
  const kinesis = createKinesis({
    storage: openStorage(),
    clock: SLOW_CLOCK,
    region: 'us-east-1',
    accountId: '000000000000',
    // Questions make streams faster than an account may, and nobody waits.
    limits: { settleMs: 20, callRateFactor: Infinity },
  });
  const wire = await openWire({ targets: { [kinesis.target]: kinesis }, paths: [] });
  const asker = kinesisAsker(wire.url);
  try {
    return await askAll(questions, asker);
  } finally {
    asker.close();
    await wire.close();
  }
}
