/** How much of a source's slowness hides behind the stream's: the next page is on its way meanwhile. */
import { systemClock as clock } from '#adapters/system/clock';
import { poll } from '#pipeline/poll';
import type { PageSource } from '#ports/page-source';
import { orderRow } from '#test/bench/order-row';
import { ordersOptions } from '#test/bench/orders-options';
import { pollerMemory } from '#test/bench/poller-memory';
import type { Row } from '#test/bench/row';
import { nullStream } from './null-stream.ts';

const PAGES = 20;
const PAGE_RECORDS = 100;
const LATE_MS = 50;

/** @throws {Error} when the poll does not read to the end. */
export async function aheadRows(): Promise<readonly Row[]> {
  const startedMs = performance.now();
  const result = await poll(await ordersOptions(), {
    source: slowSource(),
    writer: nullStream(LATE_MS),
    ...pollerMemory(),
  });
  if (result.kind !== 'caught-up' || result.pages !== PAGES)
    throw new Error(JSON.stringify(result));
  const value = (performance.now() - startedMs) / (PAGES * 2 * LATE_MS);
  const what = `${PAGES} pages, source and stream ${LATE_MS} ms late each: time ÷ one after the other`;
  return [{ what, unit: '×', value, bound: 0.7 }];
}

function slowSource(): PageSource {
  return {
    async fetchPage({ query }) {
      const startedAtMs = clock.nowMs();
      await clock.sleep(LATE_MS);
      const page = Number(query['cursor'] ?? 0);
      const data = Array.from({ length: PAGE_RECORDS }, (_, at) =>
        orderRow(page * PAGE_RECORDS + at, PAGES * PAGE_RECORDS),
      );
      const body = { data, next_cursor: page + 1 < PAGES ? String(page + 1) : null };
      return { kind: 'page', body, startedAtMs };
    },
  };
}
