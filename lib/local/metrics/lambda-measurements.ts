/** What Lambda measures of functions and of event source mappings. */
import type { InvocationReport } from '#local/lambda/functions/function-pool';
import type { MappingEvent } from '#local/lambda/mapping/mapping-event';
import type { Dimensions, Measurement } from './measurement.ts';

/** @source Lambda Developer Guide, "Types of metrics for Lambda functions": errors of 0 count too. */
export function ofInvocation(report: InvocationReport): readonly Measurement[] {
  const dimensions = { FunctionName: report.functionName };
  return [
    lambda('Invocations', 1, dimensions),
    lambda('Errors', report.outcome === 'error' ? 1 : 0, dimensions),
    lambda('Duration', report.durationMs, dimensions),
  ];
}

export function ofThrottle(FunctionName: string): Measurement {
  return lambda('Throttles', 1, { FunctionName });
}

/** Of a destination that did not take what it was given. */
export function ofDeliveryFailure(FunctionName: string): Measurement {
  return lambda('DestinationDeliveryFailures', 1, { FunctionName });
}

/**
 * `countedAs` is the mapping's id, as Ref answers it; absent where its events are not counted.
 *
 * @source Lambda Developer Guide, "Types of metrics for event source mappings": EventCount.
 */
export function ofMapping(event: MappingEvent, countedAs?: string): readonly Measurement[] {
  switch (event.kind) {
    case 'batch':
      return [lambda('IteratorAge', event.iteratorAgeMs, { FunctionName: event.functionName })];
    case 'gave-up': {
      if (countedAs === undefined) return [];
      const isKept = event.key !== undefined;
      const name = isKept ? 'OnFailureDestinationDeliveredEventCount' : 'DroppedEventCount';
      return [lambda(name, event.records, { EventSourceMappingUUID: countedAs })];
    }
    case 'destination-failed':
      return [ofDeliveryFailure(event.functionName)];
    default:
      return [];
  }
}

function lambda(name: string, value: number, dimensions: Dimensions): Measurement {
  return { namespace: 'AWS/Lambda', name, dimensions, value };
}
