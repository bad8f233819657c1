/** A shard's batches into a table. Wiring only. */
import type { ClientWay } from '#adapters/aws/client-options';
import type { PipelineSettings } from '#config/pipeline-settings';
import { assert } from '#core/assert';
import { requiredVariable } from '#functions/required-variable';
import { batchHandler } from './batch-handler.ts';
import { openTableSink } from './open-table-sink.ts';
import { wireConsumer } from './wiring.ts';

/** Three tries of a write, then of the checkpoint, and a refusal. */
const FINISH_MS = 18_000;

export function consumeHandler(settings: PipelineSettings, name: string, way: ClientWay = {}) {
  const consumer = settings.consumers.find((one) => one.kind === 'table' && one.name === name);
  assert(consumer?.kind === 'table', 'the bundle names a consumer of its pipeline');
  const tableName = requiredVariable(process.env, 'PENSTOCK_TABLE');
  const ask = { settings, consumer, env: process.env, way };
  const wired = wireConsumer(ask, openTableSink(settings, consumer, tableName));
  return batchHandler(wired, FINISH_MS);
}
