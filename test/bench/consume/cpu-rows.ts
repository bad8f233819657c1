/** What a record costs the function's CPU, as ratios to floors and to what others make of it. */
import { existsSync } from 'node:fs';
import type { KinesisStreamEvent } from 'aws-lambda';
import { beside } from '#test/bench/beside';
import { cpuOf } from '#test/bench/cpu-of';
import type { Row } from '#test/bench/row';
import { orderBatch } from './batches.ts';
import {
  countingTable,
  exactFloor,
  middyLoop,
  ours,
  plainFloor,
  planningTable,
  powertools,
} from './consumers.ts';

/** An even load: each record is of a key of its own. */
const BATCH = { records: 1_000, keys: 1_000 } as const;
const PLAIN = orderBatch({ ...BATCH, numbers: 'plain' });
const EXACT = orderBatch({ ...BATCH, numbers: 'exact' });

/** @param powertoolsPath of the package's module; without it that row is left out. */
export async function cpuRows(
  rounds: number,
  powertoolsPath: string | undefined,
): Promise<readonly Row[]> {
  const table = countingTable();
  return [
    ...beside(await cpuOf([ours(table), plainFloor], of(PLAIN, rounds)), {
      what: 'a record with plain numbers',
      bounds: [1 / 0.35],
    }),
    ...beside(await cpuOf([ours(table), exactFloor], of(EXACT, rounds)), {
      what: 'a record with numbers whose digits are kept',
      bounds: [1 / 0.35],
    }),
    ...(await equalWork(rounds, powertoolsPath)),
    await writesRow(),
  ];
}

function of(batch: KinesisStreamEvent, rounds: number) {
  return { batch, records: batch.Records.length, rounds };
}

/** Each decodes with the same code, plans the same writes, and waits for the same answers. */
async function equalWork(rounds: number, powertoolsPath: string | undefined) {
  const table = planningTable();
  const contestants = [ours(table), middyLoop(table)];
  if (powertoolsPath !== undefined && existsSync(powertoolsPath))
    contestants.push(await powertools(powertoolsPath, table));
  const samples = await cpuOf(contestants, of(PLAIN, rounds));
  return beside(samples, {
    what: `equal work, to the planned write of ${BATCH.records.toLocaleString('en')} keys`,
    bounds: [1.1, 1],
  });
}

async function writesRow(): Promise<Row> {
  const keys = 100;
  const table = countingTable();
  await ours(table).take(orderBatch({ records: 1_000, keys, numbers: 'plain' }));
  const what = `writes of 1,000 records of ${keys} keys ÷ keys`;
  return { what, unit: '×', value: table.writes() / keys, bound: 1 };
}
