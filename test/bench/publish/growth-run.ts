/**
 * Publishes records that are made as they are asked for, in a process of its own:
 * `node growth-run.ts <url> <records> <keys>` prints how long it took and how much memory it held.
 */
import type { PartitionKey } from '#core/record/records';
import type { SizedRecord } from '#pipeline/publish';
import { ours } from './senders.ts';

export interface Grown {
  readonly ms: number;
  /** The most that was seen. */
  readonly rssMb: number;
}

const [url = '', records = '0', keys = '1'] = process.argv.slice(2);
/** Time and memory of the first records are the engine's. */
const WARM_UP = 100_000;
const SAMPLE_MS = 20;
const BYTES_PER_MB = 1_000_000;
const data = new Uint8Array(499).fill(0x78);

function* made(count: number, distinct: number): Generator<SizedRecord> {
  for (let at = 0; at < count; at++) {
    const partitionKey =
      `order-${String((at * 7_919) % distinct).padStart(7, '0')}` as PartitionKey;
    const bytes = data.byteLength + partitionKey.length;
    yield { partitionKey, bytes, record: { partitionKey, data } };
  }
}

await ours(4).prepare(url, made(WARM_UP, 20_000)).run();
globalThis.gc?.();
let rss = process.memoryUsage.rss();
const sampler = setInterval(() => (rss = Math.max(rss, process.memoryUsage.rss())), SAMPLE_MS);
const startedMs = performance.now();
await ours(4)
  .prepare(url, made(Number(records), Number(keys)))
  .run();
const grown: Grown = { ms: performance.now() - startedMs, rssMb: rss / BYTES_PER_MB };
clearInterval(sampler);
console.log(JSON.stringify(grown));
process.exit();
