/** How much of a source's slowness hides behind the stream's: the next page is on its way meanwhile. */
import { memoryCheckpointStore } from '#adapters/memory/checkpoint-store';
import { memoryPollStateStore } from '#adapters/memory/poll-state-store';
import { memoryQuarantine } from '#adapters/memory/quarantine';
import { systemChance } from '#adapters/system/chance';
import { systemClock as clock } from '#adapters/system/clock';
import { sha256Digest as digest } from '#adapters/system/digest';
import { poll } from '#pipeline/poll';
import type { PageSource } from '#ports/page-source';
import { orderRow } from '#test/bench/order-row';
import type { Row } from '#test/bench/row';
import { nullStream } from './null-stream.ts';
import { ordersOptions } from './orders-options.ts';

const PAGES = 20;
const PAGE_RECORDS = 100;
const LATE_MS = 50;

/** @throws {Error} when the poll does not read to the end. */
export async function aheadRows(): Promise<readonly Row[]> {
  const startedMs = performance.now();
  const result = await poll(await ordersOptions(), {
    source: slowSource(),
    writer: nullStream(LATE_MS),
    states: memoryPollStateStore(),
    checkpoints: memoryCheckpointStore(),
    quarantine: memoryQuarantine(),
    clock,
    chance: systemChance,
    digest,
    report: () => undefined,
    remainingMs: () => 900_000,
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
