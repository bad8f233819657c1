/** Report as JSON log lines, their numbers beside them in CloudWatch's embedded metric format. */
import type { Logger } from '@aws-lambda-powertools/logger';
import type { Metrics } from '@aws-lambda-powertools/metrics';
import type { Report } from '#ports/report';
import { levelOf } from './event-level.ts';
import { metricsOf } from './event-metrics.ts';

/** One log line an event, at the level of its consequence, and one metric line where it has numbers. */
export function powertoolsReport(
  logger: Pick<Logger, 'info' | 'warn' | 'error'>,
  metrics: Pick<Metrics, 'addMetric' | 'publishStoredMetrics'>,
): Report {
  return (event) => {
    try {
      logger[levelOf(event)](event.event, { ...event });
      const numbers = metricsOf(event);
      for (const { name, unit, value } of numbers) metrics.addMetric(name, unit, value);
      if (numbers.length > 0) metrics.publishStoredMetrics();
    } catch (error) {
      // What cannot be told must not undo what was done.
      logger.error('ReportFailed', { reported: event.event, error: String(error) });
    }
  };
}
