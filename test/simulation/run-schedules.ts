/** The command line of a simulation: very many random schedules, and what they reached. */
import { parseArgs } from 'node:util';

export interface ScheduleReport {
  /** What a schedule is long by. */
  readonly operations: number;
  /** What was reached, and how often. */
  readonly reached: ReadonlyMap<string, number>;
}

export interface Simulation {
  /** The npm script. */
  readonly script: string;
  /** What holds over what, as a sentence goes on. */
  readonly about: string;
  /** How many schedules there are unless somebody says; 100,000 unless given. */
  readonly schedules?: number;
  /** What must not be rare, though it be never reached. */
  readonly wanted?: readonly string[];
  /** @throws {AssertionError} when a law is broken. */
  readonly runSchedule: (seed: number) => Promise<ScheduleReport>;
}

const OPERATIONS_MIN = 30;
/** A share of schedules below which something is hardly tried. */
const RARE = 0.001;
/** Of fewer schedules no share is judged. */
const JUDGED_MIN = 10_000;

export async function runSchedules(simulation: Simulation): Promise<void> {
  const { values } = parseArgs({
    options: {
      help: { type: 'boolean' },
      schedules: { type: 'string', default: String(countOf(simulation)) },
      from: { type: 'string', default: '1' },
    },
  });
  if (values.help) console.log(helpOf(simulation));
  else await run(simulation, whole(values.from, '--from'), whole(values.schedules, '--schedules'));
}

function countOf({ schedules = 100_000 }: Simulation): number {
  return schedules;
}

function helpOf(simulation: Simulation): string {
  const { script, about } = simulation;
  return `npm run ${script}: ${about}.

Options:
  --schedules <n>   how many; ${countOf(simulation).toLocaleString('en')} unless given
  --from <seed>     the first seed; 1 unless given. A failure names its seed

Example:
  npm run ${script} -- --from 4711 --schedules 1`;
}

function whole(text: string, option: string): number {
  const value = Number(text);
  if (Number.isSafeInteger(value) && value > 0) return value;
  console.error(`${option} must be a whole number above 0, not '${text}'.`);
  process.exit(2);
}

async function run(simulation: Simulation, from: number, schedules: number): Promise<void> {
  const { script, wanted = [], runSchedule } = simulation;
  const reached = new Map(wanted.map((what) => [what, { schedules: 0, times: 0 }]));
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
      console.error(`Again: npm run ${script} -- --from ${seed} --schedules 1`);
      process.exit(1);
    }
    const done = seed - from + 1;
    if (done % Math.min(10_000, countOf(simulation) / 10) === 0)
      console.error(`${done} of ${schedules} hold`);
  }
  const rows = [...reached].toSorted(([a], [b]) => (a < b ? -1 : 1));
  for (const [what, sum] of rows) {
    const share = (100 * sum.schedules) / schedules;
    console.log(
      `${what.padEnd(34)} ${share.toFixed(2).padStart(6)} % of schedules, ${sum.times} times`,
    );
  }
  const rare = rows.filter(([, sum]) => sum.schedules < RARE * schedules).map(([what]) => what);
  console.log(`${schedules} schedules of ${Math.round(operations / schedules)} operations hold.`);
  if (short > 0) console.log(`${short} were shorter than ${OPERATIONS_MIN}.`);
  if (rare.length > 0 && schedules >= JUDGED_MIN) {
    console.error(`Hardly tried: ${rare.join(', ')}.`);
    process.exitCode = 1;
  }
}
