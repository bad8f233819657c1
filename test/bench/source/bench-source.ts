/** `npm run bench:source`: what a page costs before it goes out, beside the bare loop. */
import { parseArgs } from 'node:util';
import { renderRows } from '#test/bench/render-rows';
import { writeSection } from '#test/bench/write-section';
import { aheadRows } from './ahead-rows.ts';
import { cpuRows } from './cpu-rows.ts';
import { memoryRows } from './memory-rows.ts';

const HELP = `npm run bench:source: CPU a record from the answer's text to the planned request, the next page
beside the one that goes out, memory over 100 pages of 10 MB; ratios in one run.

Options:
  --rounds <n>  interleaved rounds, of which medians are taken; 15 unless given
  --write       put the table into docs/reference/benchmarks.md

Example:
  npm run bench:source -- --write`;

const { values } = parseArgs({
  options: {
    help: { type: 'boolean' },
    rounds: { type: 'string', default: '15' },
    write: { type: 'boolean' },
  },
});
if (values.help) console.log(HELP);
else await run(Number(values.rounds));

async function run(rounds: number): Promise<void> {
  const rows = [...(await cpuRows(rounds)), ...(await aheadRows()), ...(await memoryRows())];
  const table = renderRows(rows);
  console.log(table);
  if (values.write) writeSection('sources', table);
  if (rows.some(({ value, bound }) => value > bound)) process.exitCode = 1;
}
