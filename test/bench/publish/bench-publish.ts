/** `npm run bench:publish`: how near to the bare SDK, and what others do with failures. */
import { parseArgs } from 'node:util';
import { writeSection } from '#test/bench/write-section';
import { openEndpoint, openLocalCloud, openPages, openSender, PLAIN_MODE } from './endpoints.ts';
import type { Endpoint } from './endpoints.ts';
import { growthOf } from './growth.ts';
import { measure } from './measure.ts';
import type { Measured } from './measure.ts';
import { orders } from './orders.ts';
import { atTheEnd, bare, inPlace, lifion, ours } from './senders.ts';
import type { Sender } from './senders.ts';
import { growthAsked, growthTable, tableOf } from './tables.ts';
import type { Asked } from './tables.ts';

const HELP = `npm run bench:publish: publishing against an endpoint that stores nothing, as ratios in one run.

Options:
  --rounds <n>   interleaved rounds, of which medians are taken; 9 unless given
  --only <text>  only tables with this in their title
  --write        put the tables into docs/reference/benchmarks.md

Example:
  npm run bench:publish -- --write`;

interface Table {
  readonly title: string;
  make(rounds: number): Promise<string>;
}

interface Case {
  readonly title: string;
  readonly senders: readonly Sender[];
  readonly mode?: { readonly refused?: number; readonly lateMs?: number };
  readonly count: number;
  readonly keys: number;
  readonly rounds?: number;
  readonly asked?: (measured: readonly Measured[]) => readonly Asked[];
}

const CASES: readonly Case[] = [
  {
    title: 'no failures, 20,000 keys',
    senders: [bare(1), ours(1), bare(4), ours(4)],
    count: 50_000,
    keys: 20_000,
  },
  ...[20, 100].map((lateMs) => ({
    title: `each answer ${lateMs} ms late`,
    senders: [bare(4), ours(4)],
    mode: { lateMs },
    count: 30_000,
    keys: 20_000,
    asked: (measured: readonly Measured[]) => [perSecAsked(measured, 0.95)],
  })),
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
  ...[100, 1_000, 10_000, 100_000, 1_000_000].map((keys) => ({
    title: `${keys.toLocaleString('en')} keys`,
    senders: [bare(1), ours(1)],
    count: 50_000,
    keys,
  })),
];

const GROWTH_ROUNDS = 3;

const TABLES: readonly Table[] = [
  wholePath('null endpoint', openEndpoint, { count: 50_000, keys: 20_000, pageSize: 500 }),
  wholePath('local cloud', openLocalCloud, { count: 30_000, keys: 20_000, pageSize: 500 }),
  growth('20,000 keys', { counts: [10_000, 30_000, 100_000, 300_000, 1_000_000], keys: 20_000 }),
  growth('a single key', { counts: [1_000, 3_000, 10_000], keys: 1 }),
  ...CASES.map((one): Table => ({
    title: one.title,
    make: (rounds) => withEndpoint(openEndpoint, (endpoint) => caseTable(endpoint, one, rounds)),
  })),
];

const { values } = parseArgs({
  options: {
    help: { type: 'boolean' },
    rounds: { type: 'string', default: '9' },
    only: { type: 'string', default: '' },
    write: { type: 'boolean' },
  },
});
if (values.help) console.log(HELP);
else await run(Number(values.rounds));

async function run(rounds: number): Promise<void> {
  const made: string[] = [];
  for (const table of TABLES.filter(({ title }) => title.includes(values.only))) {
    made.push(await table.make(rounds));
    console.log(made.at(-1));
  }
  if (values.write) writeSection('publishing', made.join('\n'));
}

async function withEndpoint<T>(
  open: () => Promise<Endpoint>,
  use: (endpoint: Endpoint) => Promise<T>,
): Promise<T> {
  const endpoint = await open();
  try {
    return await use(endpoint);
  } finally {
    await endpoint.stop();
  }
}

async function caseTable(endpoint: Endpoint, one: Case, rounds: number): Promise<string> {
  const { refused = 0, lateMs = 0 } = one.mode ?? {};
  const measured = await measure(endpoint, one.senders, {
    mode: { refused, lateMs, judges: refused > 0 },
    records: orders(one.count, one.keys),
    count: one.count,
    rounds: one.rounds ?? rounds,
  });
  return tableOf(one.title, measured, one.asked?.(measured));
}

function wholePath(
  where: string,
  open: () => Promise<Endpoint>,
  ask: { readonly count: number; readonly keys: number; readonly pageSize: number },
): Table {
  const title = `from a paged API to the stream, ${where}`;
  return {
    title,
    async make(rounds) {
      const pages = await openPages(ask);
      try {
        const senders = await Promise.all(
          ['same', 'plain', 'ours'].map((which) => openSender(which, pages.url, ask.count)),
        );
        const measured = await withEndpoint(open, (endpoint) =>
          measure(endpoint, senders, { mode: PLAIN_MODE, records: [], count: ask.count, rounds }),
        );
        for (const { stop } of senders) await stop();
        const cpu = measured.at(-1)?.cpuOfFirst.median ?? Number.NaN;
        return tableOf(title, measured, [
          perSecAsked(measured, 0.85),
          { what: "our CPU by the first loop's", value: cpu, atMost: 1.16 },
        ]);
      } finally {
        await pages.stop();
      }
    },
  };
}

function growth(
  what: string,
  ask: { readonly counts: readonly number[]; readonly keys: number },
): Table {
  const title = `growth, ${what}`;
  return {
    title,
    make: () =>
      withEndpoint(openEndpoint, async ({ url }) => {
        const grown = growthOf(url, { ...ask, rounds: GROWTH_ROUNDS });
        return growthTable(title, grown, growthAsked(grown));
      }),
  };
}

function perSecAsked(measured: readonly Measured[], atLeast: number): Asked {
  const value = measured.at(-1)?.ofFirst.median ?? Number.NaN;
  return { what: "our records/s by the first sender's", value, atLeast };
}
