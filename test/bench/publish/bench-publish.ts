/** `npm run bench:publish`: how near to the bare SDK, and what others do with failures. */
import { atTheEnd, bare, inPlace, ours } from './senders.ts';
import { measure, openEndpoint } from './measure.ts';
import type { Measured } from './measure.ts';

const HELP = `npm run bench:publish: publishing against an endpoint that stores nothing, as ratios in one run.

Options:
  --rounds <n>   interleaved rounds, of which medians are taken; 7 unless given

Example:
  npm run bench:publish`;

const rounds = Number(process.argv[process.argv.indexOf('--rounds') + 1] ?? 7) || 7;
if (process.argv.includes('--help')) console.log(HELP);
else await run();

async function run(): Promise<void> {
  const endpoint = await openEndpoint();
  const null0 = { refused: 0, lateMs: 0, judges: false };
  try {
    show(
      'no failures, 20,000 keys',
      await measure(endpoint, [bare(1), ours(1), bare(4), ours(4)], {
        mode: null0,
        count: 50_000,
        keys: 20_000,
        rounds,
      }),
    );
    show(
      'answers 20 ms late',
      await measure(endpoint, [bare(4), ours(4)], {
        mode: { ...null0, lateMs: 20 },
        count: 30_000,
        keys: 20_000,
        rounds,
      }),
    );
    show(
      '5 % of entries refused',
      await measure(endpoint, [inPlace, atTheEnd, ours(1), ours(4)], {
        mode: { refused: 0.05, lateMs: 0, judges: true },
        count: 20_000,
        keys: 5_000,
        rounds,
      }),
    );
    for (const keys of [100, 10_000, 1_000_000]) {
      show(
        `${keys} keys`,
        await measure(endpoint, [bare(1), ours(1)], {
          mode: null0,
          count: 50_000,
          keys,
          rounds: 3,
        }),
      );
    }
  } finally {
    await endpoint.stop();
  }
}

function show(title: string, measured: readonly Measured[]): void {
  console.log(`\n### ${title}\n`);
  console.log(
    '| sender | records/s | spread | CPU µs a record | requests | bytes a record | late / stale / doubled |',
  );
  console.log('|---|--:|---|--:|--:|--:|---|');
  for (const {
    name,
    perSec,
    spread,
    cpuUs,
    requests,
    bytes,
    records,
    late,
    stale,
    doubled,
  } of measured) {
    const range = spread.map((one) => Math.round(one)).join('–');
    console.log(
      `| ${name} | ${Math.round(perSec)} | ${range} | ${cpuUs.toFixed(1)} | ${requests} | ${Math.round(bytes / records)} | ${late} / ${stale} / ${doubled} |`,
    );
  }
}
