/** From records in the stream to rows of the table, beside what the table takes alone. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Row } from '#test/bench/row';
import { orderEvents } from './batches.ts';
import { medianOf } from '#test/bench/median-of';
import { TABLE, flow, synthesizeRiver } from './river.ts';

const RECORDS = 6_000;
const EVEN = { records: RECORDS, keys: RECORDS, numbers: 'exact' } as const;

export async function pathRows(rounds: number): Promise<readonly Row[]> {
  const { cdkOut, remove } = await synthesizeRiver();
  const [even, hot, alone]: [number[], number[], number[]] = [[], [], []];
  try {
    for (let round = 0; round < rounds; round++) {
      const { cloud, perSec } = await flow(cdkOut, orderEvents(EVEN));
      even.push(perSec);
      alone.push(await tableAlone(cloud.endpoint));
      await cloud.stop();
      const other = await flow(cdkOut, orderEvents({ ...EVEN, isHalfOnOneKey: true }));
      hot.push(other.perSec);
      await other.cloud.stop();
    }
  } finally {
    remove();
  }
  return [
    {
      what: `conditional updates a second of the table alone (${spread(alone)}) ÷ records a second from stream to table (${spread(even)})`,
      unit: '×',
      value: medianOf(alone.map((perSec, round) => perSec / (even[round] ?? Number.NaN))),
      bound: 1 / 0.8,
    },
    {
      what: `records a second from stream to table ÷ the same with half of them on one key (${spread(hot)})`,
      unit: '×',
      value: medianOf(even.map((perSec, round) => perSec / (hot[round] ?? Number.NaN))),
      bound: 1 / 0.8,
    },
  ];
}

async function tableAlone(endpoint: string): Promise<number> {
  const script = join(import.meta.dirname, 'table-alone.ts');
  const ask = [script, endpoint, TABLE, '1000000'];
  const { stdout } = await promisify(execFile)(process.execPath, ask);
  return Number(stdout);
}

function spread(samples: readonly number[]): string {
  const sorted = samples.map(Math.round).toSorted((a, b) => a - b);
  return `${sorted[0]}–${sorted.at(-1)}`;
}
