/** A shard's batches to a function of the user's. Wiring only. */
import type { ClientWay } from '#adapters/aws/client-options';
import { systemClock as clock } from '#adapters/system/clock';
import { systemTimer as timer } from '#adapters/system/timer';
import type { PipelineSettings } from '#config/pipeline-settings';
import { assert } from '#core/assert';
import { batchHandler } from '#functions/consume/batch-handler';
import { wireConsumer } from '#functions/consume/wiring';
import { handlerSink } from '#pipeline/handler-sink';
import { openUserHandler } from './open-user-handler.ts';

/** Three tries of the checkpoint, and a refusal; the handler itself is cut. */
const FINISH_MS = 12_000;

/** @param exported what the handler's file exports. */
export function handleHandler(
  settings: PipelineSettings,
  name: string,
  exported: unknown,
  way: ClientWay = {},
) {
  const consumer = settings.consumers.find((one) => one.kind === 'handler' && one.name === name);
  assert(consumer?.kind === 'handler', 'the bundle names a handler of its pipeline');
  const handler = openUserHandler(consumer, exported, process.env);
  const ask = { settings, consumer, env: process.env, way };
  const wired = wireConsumer(ask, () => handlerSink(handler, { clock, timer }));
  return batchHandler(wired, FINISH_MS);
}
