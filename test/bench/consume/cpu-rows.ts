/** What a record costs the function's CPU, as ratios to floors and to what others make of it. */
import { existsSync } from 'node:fs';
import type { Row } from '#test/bench/row';
import { orderBatch } from './batches.ts';
import { countingTable, exactFloor, middyLoop, ours, plainFloor, powertools } from './consumers.ts';
import { cpuOf } from './cpu-of.ts';

const BATCH = { records: 1_000, keys: 1_000 } as const;

/** @param powertoolsPath of the package's module; without it that row is left out. */
export async function cpuRows(
  rounds: number,
  powertoolsPath: string | undefined,
): Promise<readonly Row[]> {
  const hasPowertools = powertoolsPath !== undefined && existsSync(powertoolsPath);
  const table = countingTable();
  const plain = await cpuOf(
    [
      plainFloor,
      middyLoop(table),
      ours(table),
      ...(hasPowertools ? [await powertools(powertoolsPath, table)] : []),
    ],
    orderBatch({ ...BATCH, numbers: 'plain' }),
    rounds,
  );
  const exact = await cpuOf(
    [exactFloor, ours(table)],
    orderBatch({ ...BATCH, numbers: 'exact' }),
    rounds,
  );
  const [floor, loop, penstock, batchProcessor] = plain;
  const [floorOfDigits, penstockOfDigits] = exact;
  if (!floor || !loop || !penstock || !floorOfDigits || !penstockOfDigits)
    throw new Error('each contestant has a sample');
  const ratio = (what: string, one: typeof floor, other: typeof floor, bound: number): Row => ({
    what: `${what}: ${shown(one)} ÷ ${shown(other)}`,
    unit: '×',
    value: one.us / other.us,
    bound,
  });
  return [
    ratio('a record with plain numbers', penstock, floor, 1 / 0.35),
    ratio('a record with numbers whose digits are kept', penstockOfDigits, floorOfDigits, 1 / 0.35),
    ratio('equal work', penstock, loop, 1.1),
    ...(batchProcessor ? [ratio('equal work', penstock, batchProcessor, 1)] : []),
    await writesRow(),
  ];
}

function shown({ name, us, spread: [lowest, highest] }: Awaited<ReturnType<typeof cpuOf>>[number]) {
  return `${name}, ${us.toFixed(1)} µs (${lowest.toFixed(1)}–${highest.toFixed(1)})`;
}

async function writesRow(): Promise<Row> {
  const keys = 100;
  const table = countingTable();
  await ours(table).take(orderBatch({ records: 1_000, keys, numbers: 'plain' }));
  const what = `writes of 1,000 records of ${keys} keys ÷ keys`;
  return { what, unit: '×', value: table.writes() / keys, bound: 1 };
}
