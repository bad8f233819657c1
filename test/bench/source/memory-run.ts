/** `node memory-run.ts <URL>`: polls it to its end, and prints its memory after each page, in MB. */
import { httpPageSource } from '#adapters/http/page-source';
import { memoryCheckpointStore } from '#adapters/memory/checkpoint-store';
import { memoryPollStateStore } from '#adapters/memory/poll-state-store';
import { memoryQuarantine } from '#adapters/memory/quarantine';
import { systemChance } from '#adapters/system/chance';
import { systemClock as clock } from '#adapters/system/clock';
import { sha256Digest as digest } from '#adapters/system/digest';
import { poll } from '#pipeline/poll';
import { nullStream } from './null-stream.ts';
import { ordersOptions } from './orders-options.ts';

const [url = ''] = process.argv.slice(2);
const options = await ordersOptions();
const rssMb: number[] = [];
const result = await poll(options, {
  source: httpPageSource({ url, authorize: undefined, clock, records: options.records.path }),
  writer: nullStream(),
  states: memoryPollStateStore(),
  checkpoints: memoryCheckpointStore(),
  quarantine: memoryQuarantine(),
  clock,
  chance: systemChance,
  digest,
  report: ({ event }) => {
    if (event === 'PagePublished') rssMb.push(process.memoryUsage.rss() / 1024 ** 2);
  },
  remainingMs: () => 900_000,
});
if (result.kind !== 'caught-up') throw new Error(JSON.stringify(result));
console.log(JSON.stringify(rssMb));
