/** `node memory-run.ts <URL>`: polls it to its end, and prints its memory after each page, in MB. */
import { httpPageSource } from '#adapters/http/page-source';
import { systemClock as clock } from '#adapters/system/clock';
import { poll } from '#pipeline/poll';
import { ordersOptions } from '#test/bench/orders-options';
import { pollerMemory } from '#test/bench/poller-memory';
import { nullStream } from './null-stream.ts';

const [url = ''] = process.argv.slice(2);
const options = await ordersOptions();
const rssMb: number[] = [];
const result = await poll(options, {
  source: httpPageSource({ url, authorize: undefined, clock, records: options.records.path }),
  writer: nullStream(),
  ...pollerMemory(),
  report: ({ event }) => {
    if (event === 'PagePublished') rssMb.push(process.memoryUsage.rss() / 1024 ** 2);
  },
});
if (result.kind !== 'caught-up') throw new Error(JSON.stringify(result));
console.log(JSON.stringify(rssMb));
