/** What the steps of a whole pipeline in one process take. */
import { startPipeline } from '#test/local/kit/small-pipeline';
import type { Row } from './row.ts';

const STEPS = 200;
const STEP_MS = 10_000;

export async function stepRow(): Promise<Row> {
  const { cloud } = await startPipeline({ onEvent: () => undefined });
  const startedMs = performance.now();
  for (let step = 0; step < STEPS; step++) await cloud.step(STEP_MS);
  const value = (performance.now() - startedMs) / 1000;
  await cloud.stop();
  return {
    what: '200 steps of ten seconds of a pipeline in one process',
    unit: 's',
    value,
    bound: 1,
  };
}
