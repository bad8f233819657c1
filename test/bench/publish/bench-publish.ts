/** `npm run bench:publish`: how near to the bare SDK, and what others do with failures. */
import { parseArgs } from 'node:util';
import { writeSection } from '#test/bench/write-section';
import { measure, openEndpoint } from './measure.ts';
import type { Endpoint, Measured } from './measure.ts';
import { atTheEnd, bare, inPlace, lifion, ours } from './senders.ts';
import type { Sender } from './senders.ts';

const HELP = `npm run bench:publish: publishing against an endpoint that stores nothing, as ratios in one run.

Options:
  --rounds <n>   interleaved rounds, of which medians are taken; 9 unless given
  --write        put the tables into docs/reference/benchmarks.md

Example:
  npm run bench:publish -- --write`;

interface Case {
  readonly title: string;
  readonly senders: readonly Sender[];
  readonly mode?: { readonly refused?: number; readonly lateMs?: number };
  readonly count: number;
  readonly keys: number;
  readonly rounds?: number;
}

const CASES: readonly Case[] = [
  {
    title: 'no failures, 20,000 keys',
    senders: [bare(1), ours(1), bare(4), ours(4)],
    count: 50_000,
    keys: 20_000,
  },
  {
    title: 'each answer 20 ms late',
    senders: [bare(4), ours(4)],
    mode: { lateMs: 20 },
    count: 30_000,
    keys: 20_000,
  },
  {
    title: '5 % of entries refused',
    senders: [inPlace, atTheEnd, ours(1), ours(4)],
    mode: { refused: 0.05 },
    count: 20_000,
    keys: 5_000,
  },
  {
    title: '5 % of entries refused, with a producer that rests for seconds',
    senders: [inPlace, lifion, ours(4)],
    mode: { refused: 0.05 },
    count: 2_000,
    keys: 300,
    rounds: 3,
  },
  ...[100, 10_000, 1_000_000].map((keys) => ({
    title: `${keys.toLocaleString('en')} keys`,
    senders: [bare(1), ours(1)],
    count: 50_000,
    keys,
  })),
];

const { values } = parseArgs({
  options: {
    help: { type: 'boolean' },
    rounds: { type: 'string', default: '9' },
    write: { type: 'boolean' },
  },
});
if (values.help) console.log(HELP);
else await run(Number(values.rounds));

async function run(rounds: number): Promise<void> {
  const endpoint = await openEndpoint();
  const tables: string[] = [];
  try {
    for (const one of CASES) {
      const table = tableOf(one.title, await measureCase(endpoint, one, rounds));
      console.log(table);
      tables.push(table);
    }
  } finally {
    await endpoint.stop();
  }
  if (values.write) writeSection('publishing', tables.join('\n'));
}

function measureCase(
  endpoint: Endpoint,
  { senders, mode = {}, count, keys, rounds: fewer }: Case,
  rounds: number,
): Promise<readonly Measured[]> {
  const { refused = 0, lateMs = 0 } = mode;
  const ask = {
    mode: { refused, lateMs, judges: refused > 0 },
    count,
    keys,
    rounds: fewer ?? rounds,
  };
  return measure(endpoint, senders, ask);
}

function tableOf(title: string, measured: readonly Measured[]): string {
  const first = measured[0]?.perSec ?? Number.NaN;
  const rows = measured.map(
    ({ name, perSec, spread, cpuUs, requests, bytes, records, late, stale, doubled }) => {
      const range = spread.map((one) => Math.round(one)).join('–');
      return (
        `| ${name} | ${Math.round(perSec)} | ${(perSec / first).toFixed(2)} × | ${range} | ${cpuUs.toFixed(1)} | ` +
        `${requests} | ${Math.round(bytes / records)} | ${late} / ${stale} / ${doubled} |`
      );
    },
  );
  return [
    `\n### ${title}\n`,
    '| sender | records/s | of the first | lowest–highest | CPU µs a record | requests | bytes a record | late / stale / doubled |',
    '|---|--:|--:|---|--:|--:|--:|---|',
    ...rows,
  ].join('\n');
}
