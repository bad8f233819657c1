/** `node test/bench/local-step.ts`: what 200 steps of a whole pipeline in this process take. */
import { startPipeline } from '#test/local/kit/small-pipeline';

const STEPS = 200;
const GOAL_MS = 1_000;

const { cloud, trace } = await startPipeline({ onEvent: () => undefined });
const startedMs = performance.now();
for (let step = 0; step < STEPS; step++) await cloud.step(10_000);
const tookMs = performance.now() - startedMs;
const ticks = trace.filter((line) => line.startsWith('ticked')).length;
await cloud.stop();
console.log(
  `${STEPS} steps of ten seconds, ${ticks} ticks: ${tookMs.toFixed(0)} ms (goal ${GOAL_MS} ms)`,
);
