/** `npm run bench:consume`: what consuming costs, beside floors, loops and other libraries. */
import { parseArgs } from 'node:util';
import { renderRows } from '#test/bench/render-rows';
import { writeSection } from '#test/bench/write-section';
import { cpuRows } from './cpu-rows.ts';
import { memoryRows } from './memory-rows.ts';
import { pathRows } from './path-rows.ts';

const HELP = `npm run bench:consume: CPU a record, memory of the largest batch, stream to table; ratios in one run.

Options:
  --rounds <n>          interleaved rounds, of which medians are taken; 15 unless given
  --powertools <path>   the module of @aws-lambda-powertools/batch, which is no dependency
  --write               put the table into docs/reference/benchmarks.md

Example:
  npm run bench:consume -- --write`;

const { values } = parseArgs({
  options: {
    help: { type: 'boolean' },
    rounds: { type: 'string', default: '15' },
    powertools: { type: 'string' },
    write: { type: 'boolean' },
  },
});
if (values.help) console.log(HELP);
else await run(Number(values.rounds));

async function run(rounds: number): Promise<void> {
  const rows = [
    ...(await cpuRows(rounds, values.powertools)),
    ...(await memoryRows()),
    ...(await pathRows(Math.ceil(rounds / 5))),
  ];
  const table = renderRows(rows);
  console.log(table);
  if (values.powertools === undefined)
    console.log("Powertools' batch processor is left out: --powertools names its module.");
  if (values.write) writeSection('consuming', table);
  if (rows.some(({ value, bound }) => value > bound)) process.exitCode = 1;
}
