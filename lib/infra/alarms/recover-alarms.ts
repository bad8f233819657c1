/** The alarm of what tries once more what consumers gave up on. */
import type { PipelineSettings } from '#config/pipeline-settings';
import { pipelineNames } from '#config/resource-names';
import { lambdaMetric } from './metrics.ts';
import type { PlannedAlarm } from './planned-alarm.ts';
import { AT_ONCE } from './rings.ts';

export function recoverAlarms(stage: string, { name }: PipelineSettings): readonly PlannedAlarm[] {
  const fn = pipelineNames(stage, name).recoverFunction;
  return [
    {
      id: 'errors-recover',
      title: 'What was given up is not tried again',
      meaning:
        'The function that does so fails; the documents stay, and the next run reads them again.',
      firstStep: `aws logs tail /aws/lambda/${fn} --since 1h --filter-pattern "?ERROR ?REPORT"`,
      metrics: [lambdaMetric('Errors', fn)],
      ...AT_ONCE,
      // One run may meet an outage: the next is five minutes later.
      evaluationPeriods: 3,
      datapointsToAlarm: 2,
    },
  ];
}
