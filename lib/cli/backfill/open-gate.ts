/** The budget of a pipeline's API, shared with its functions: requests from here leave by it as well. */
import { dynamoRateBudget } from '#adapters/dynamodb/rate-budget';
import type { Connection } from '#cli/connection';
import type { PipelineSettings } from '#config/pipeline-settings';
import { stageNames } from '#config/resource-names';
import { toRateRule } from '#functions/poll/poll-options';
import { rateGate } from '#pipeline/rate-gate';
import type { RateGate } from '#pipeline/rate-gate';
import type { Clock } from '#ports/clock';
import type { Report } from '#ports/report';

/** @returns undefined where the file sets no rate. */
export function openGate(
  { dynamodb }: Connection,
  { stage, settings }: { readonly stage: string; readonly settings: PipelineSettings },
  world: { readonly clock: Clock; readonly report: Report },
): RateGate | undefined {
  const rule = toRateRule(settings);
  const budget = dynamoRateBudget(dynamodb, { tableName: stageNames(stage).stateTable });
  return rule && rateGate(rule, { budget, ...world });
}
