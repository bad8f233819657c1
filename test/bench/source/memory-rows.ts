/** Memory of a poll that reads one large page after another, in a process with a function's heap. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { medianOf } from '#test/bench/median-of';
import { openPages } from '#test/bench/publish/endpoints';
import type { Row } from '#test/bench/row';

const PAGES = 100;
/** Of 499 bytes each, some 10 MB. */
const PAGE_RECORDS = 20_000;
/** Page 10 with its neighbours, beside page 100 with those before it. */
const MIDDLE = 10;
/** What Node gives a function of 512 MB. */
const HEAP = '--max-old-space-size=460';

/** @throws {Error} when the poll does not read to the end. */
export async function memoryRows(): Promise<readonly Row[]> {
  const count = PAGES * PAGE_RECORDS;
  const pages = await openPages({ count, keys: count, pageSize: PAGE_RECORDS });
  try {
    const file = join(import.meta.dirname, 'memory-run.ts');
    const { stdout } = await promisify(execFile)(process.execPath, [HEAP, file, pages.url]);
    const rssMb = JSON.parse(stdout) as readonly number[];
    if (rssMb.length !== PAGES) throw new Error(`${rssMb.length} of ${PAGES} pages were published`);
    const early = medianOf(rssMb.slice(MIDDLE / 2, MIDDLE + MIDDLE / 2));
    const late = medianOf(rssMb.slice(-MIDDLE));
    const what = `memory about page ${PAGES} of 10 MB, ${late.toFixed(0)} MB ÷ about page ${MIDDLE}, ${early.toFixed(0)} MB`;
    return [{ what, unit: '×', value: late / early, bound: 1.1 }];
  } finally {
    await pages.stop();
  }
}
