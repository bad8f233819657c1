/** The local cloud's Kinesis in a process of its own; tells its port, and its size when asked. */
import { createKinesis } from '#local/emulators/kinesis/kinesis';
import { openStorage } from '#local/storage';
import { SYSTEM_CLOCK } from '#local/system-clock';
import { openWire } from '#local/wire';

const kinesis = createKinesis({
  storage: openStorage(),
  clock: SYSTEM_CLOCK,
  region: 'us-east-1',
  accountId: '000000000000',
  // The emulator is measured, not the limits of shards.
  limits: { shardWriteRecordsPerSec: 1e9, shardWriteBytesPerSec: 1e12 },
});
kinesis.createStream({ Name: 'bench', ShardCount: 32 });
const { url } = await openWire({ targets: { [kinesis.target]: kinesis }, paths: [] });
process.on('message', () => process.send?.({ rss: process.memoryUsage.rss() }));
process.on('disconnect', () => process.exit());
process.send?.({ url });
