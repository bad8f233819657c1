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
      return [
        lambda('IteratorAge', event.iteratorAgeMs, { FunctionName: event.functionName }),
        ...counted('InvokedEventCount', event.records, countedAs),
      ];
    case 'polled':
      return [
        ...counted('PolledEventCount', event.records, countedAs),
        ...(event.filtered > 0 ? counted('FilteredOutEventCount', event.filtered, countedAs) : []),
      ];
    case 'retry':
    case 'bisected':
      return event.records > 0 ? counted('FailedInvokeEventCount', event.records, countedAs) : [];
    case 'gave-up': {
      const isKept = event.key !== undefined || event.queue !== undefined;
      const name = isKept ? 'OnFailureDestinationDeliveredEventCount' : 'DroppedEventCount';
      const wasInvoked = event.condition === 'RetryAttemptsExhausted';
      return [
        ...counted(name, event.records, countedAs),
        ...(wasInvoked ? counted('FailedInvokeEventCount', event.records, countedAs) : []),
      ];
    }
    case 'destination-failed':
      return [ofDeliveryFailure(event.functionName)];
    default:
      return [];
  }
}

function counted(
  name: string,
  records: number,
  EventSourceMappingUUID: string | undefined,
): readonly Measurement[] {
  return EventSourceMappingUUID === undefined
    ? []
    : [lambda(name, records, { EventSourceMappingUUID })];
}

function lambda(name: string, value: number, dimensions: Dimensions): Measurement {
  return { namespace: 'AWS/Lambda', name, dimensions, value };
}
