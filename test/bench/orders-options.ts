import { loadPipelines } from '#config/load-pipelines';
import { toPollOptions } from '#functions/poll/poll-options';
import type { PollOptions } from '#pipeline/poll-options';

/** `pipelines/orders.ts` as it is shipped. @throws {Error} when `pipelines/` cannot be read. */
export async function ordersOptions(): Promise<PollOptions> {
  const loaded = await loadPipelines({ directory: 'pipelines', stage: 'bench' });
  if (loaded.kind === 'faulty') throw new Error(loaded.faults.join('\n'));
  const orders = loaded.pipelines.find(({ settings }) => settings.name === 'orders');
  if (orders === undefined) throw new Error('pipelines/ holds no orders');
  return toPollOptions(orders.settings, orders.map, { ORDERS_API_URL: 'https://api.test/orders' });
}
