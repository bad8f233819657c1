/** Plans every alarm of a pipeline. */
import type { PipelineSettings } from '#config/pipeline-settings';
import { consumerAlarms } from './consumer-alarms.ts';
import type { PlannedAlarm } from './planned-alarm.ts';
import { pollAlarms } from './poll-alarms.ts';
import { recoverAlarms } from './recover-alarms.ts';
import { streamAlarms } from './stream-alarms.ts';

/** In the order in which a record would meet the trouble: source, stream, consumers. */
export function planAlarms(stage: string, settings: PipelineSettings): readonly PlannedAlarm[] {
  return [
    ...pollAlarms(stage, settings),
    ...streamAlarms(stage, settings),
    ...settings.consumers.flatMap((consumer) => consumerAlarms(stage, settings, consumer)),
    ...recoverAlarms(stage, settings),
  ];
}
