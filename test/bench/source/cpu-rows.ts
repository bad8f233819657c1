/** What a record costs the poller's CPU, as ratios to the bare loop over the same pages. */
import { beside } from '#test/bench/beside';
import { cpuOf } from '#test/bench/cpu-of';
import { orderRow } from '#test/bench/order-row';
import type { Row } from '#test/bench/row';
import { ordersOptions } from '#test/bench/orders-options';
import { bareLoop, ours } from './pollers.ts';
import type { Page } from './pollers.ts';

const RECORDS = 500;
const KEYS = 20_000;

/** @throws {Error} when `pipelines/` cannot be read. */
export async function cpuRows(rounds: number): Promise<readonly Row[]> {
  const options = await ordersOptions();
  const contestants = [ours(options), bareLoop];
  const of = (batch: Page) => ({ batch, records: RECORDS, rounds });
  return [
    ...beside(await cpuOf(contestants, of(pageOf(plainText))), {
      what: 'a record with plain numbers',
      bounds: [1 / 0.5],
    }),
    ...beside(await cpuOf(contestants, of(pageOf(exactText))), {
      what: 'a record with an id and an amount that no double holds',
      bounds: [1 / 0.35],
    }),
  ];
}

function pageOf(textOf: (at: number) => string): Page {
  const rows = Array.from({ length: RECORDS }, (_, at) => textOf(at));
  return { text: `{"data":[${rows.join(',')}],"next_cursor":null}`, records: RECORDS };
}

function plainText(at: number): string {
  return JSON.stringify(orderRow(at, KEYS));
}

/** The same, with a 64-bit id and a decimal as a bank writes it. */
function exactText(at: number): string {
  const id = 9_007_199_254_740_993n + BigInt(at);
  return plainText(at).replace('"version":', `"row_id":${id},"total":${at}.50,"version":`);
}
