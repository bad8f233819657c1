/** `npm run sim:publish`: the laws of publishing over very many random schedules. */
import { parseArgs } from 'node:util';
import { runSchedule } from './schedule.ts';

const HELP = `npm run sim:publish: the laws of publishing over random faults, limits and reshards.

Options:
  --schedules <n>   how many; 100,000 unless given
  --from <seed>     the first seed; 1 unless given. A failure names its seed

Example:
  npm run sim:publish -- --from 4711 --schedules 1`;

const OPERATIONS_MIN = 30;
/** A share of schedules below which something is hardly tried. */
const RARE = 0.001;

const { values } = parseArgs({
  options: {
    help: { type: 'boolean' },
    schedules: { type: 'string', default: '100000' },
    from: { type: 'string', default: '1' },
  },
});
if (values.help) console.log(HELP);
else await run(whole(values.from, '--from'), whole(values.schedules, '--schedules'));

function whole(text: string, option: string): number {
  const value = Number(text);
  if (Number.isSafeInteger(value) && value > 0) return value;
  console.error(`${option} must be a whole number above 0, not '${text}'.`);
  process.exit(2);
}

async function run(from: number, schedules: number): Promise<void> {
  const reached = new Map<string, { schedules: number; times: number }>();
  let operations = 0;
  let short = 0;
  for (let seed = from; seed < from + schedules; seed++) {
    try {
      const report = await runSchedule(seed);
      operations += report.operations;
      short += Number(report.operations < OPERATIONS_MIN);
      for (const [what, times] of report.reached) {
        const sum = reached.get(what) ?? { schedules: 0, times: 0 };
        reached.set(what, { schedules: sum.schedules + 1, times: sum.times + times });
      }
    } catch (error) {
      console.error(`seed ${seed}:`, error);
      console.error(`Again: npm run sim:publish -- --from ${seed} --schedules 1`);
      process.exit(1);
    }
    const done = seed - from + 1;
    if (done % 10_000 === 0) console.error(`${done} of ${schedules} hold`);
  }
  const rows = [...reached].toSorted(([a], [b]) => (a < b ? -1 : 1));
  for (const [what, sum] of rows) {
    const share = (100 * sum.schedules) / schedules;
    console.log(
      `${what.padEnd(26)} ${share.toFixed(2).padStart(6)} % of schedules, ${sum.times} times`,
    );
  }
  const rare = rows.filter(([, sum]) => sum.schedules < RARE * schedules).map(([what]) => what);
  console.log(`${schedules} schedules of ${Math.round(operations / schedules)} operations hold.`);
  if (short > 0) console.log(`${short} were shorter than ${OPERATIONS_MIN}.`);
  if (rare.length > 0 && schedules >= 10_000) {
    console.error(`Hardly tried: ${rare.join(', ')}.`);
    process.exitCode = 1;
  }
}
