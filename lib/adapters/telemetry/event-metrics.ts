/** The numbers of an event that are worth a graph or an alarm. */
import { PARKED_FROM } from '#core/source/failing';
import { isSuccess } from '#core/source/poll-event';
import type { TelemetryEvent } from '#core/telemetry-event';

export interface EventMetric {
  readonly name: string;
  readonly unit: 'Count' | 'Milliseconds' | 'Bytes';
  readonly value: number;
}

/** Records count where a run or batch sums them up, so that no record counts twice. */
export function metricsOf(event: TelemetryEvent): readonly EventMetric[] {
  switch (event.event) {
    case 'BatchConsumed':
      return [
        count('RecordsReceived', event.received),
        count('RecordsWritten', event.written),
        count('RecordsStale', event.stale),
        count('RecordsFolded', event.folded),
        count('RecordsRefused', event.refused),
        count('RecordsReturned', event.returned),
        count('BreakerOpen', event.held ? 1 : 0),
        { name: 'ReceivedBytes', unit: 'Bytes', value: event.receivedBytes },
        // What comes out of its turn is old by intent.
        ...(event.passage === 'stream'
          ? [milliseconds('BatchIteratorAge', event.iteratorAgeMs)]
          : []),
        milliseconds('BatchDuration', event.durationMs),
      ];
    case 'PagePublished':
      return [
        count('RecordsPolled', event.records),
        count('RecordsPublished', event.published),
        count('RecordsSkipped', event.skipped),
        count('RecordsFiltered', event.filtered),
        count('RecordsRefused', event.refused),
        count('EntriesResent', event.resent),
        { name: 'PublishedBytes', unit: 'Bytes', value: event.publishedBytes },
        milliseconds('PageDuration', event.durationMs),
      ];
    case 'SnapshotSettled':
      return [count('RecordsRemoved', event.removed)];
    case 'PollEnded':
      return [
        count('PollsSucceeded', isSuccess(event) ? 1 : 0),
        count('PollsFailed', event.outcome === 'failed' ? 1 : 0),
        ...((event.failures ?? 0) >= PARKED_FROM ? [count('SourceParked', 1)] : []),
        count('PollsHeldBack', event.outcome === 'held-back' ? 1 : 0),
        count('RecordsAccepted', event.accepted),
        count('RecordsConfirmed', event.confirmed),
        count('RecordsReturned', event.returned),
        milliseconds('PollDuration', event.durationMs),
        ...(event.behindMs === undefined ? [] : [milliseconds('SourceBehind', event.behindMs)]),
      ];
    case 'WriteFailed':
      return [count('WritesFailed', 1)];
    case 'DocumentRecovered':
      return [count('RecordsRecovered', event.recovered), count('RecordsGivenUp', event.givenUp)];
    case 'CheckpointFailed':
      return [count('CheckpointsFailed', 1)];
    case 'TableSlowed':
      return [count('TableSlowed', 1)];
    case 'BreakerOpened':
    case 'BreakerClosed':
    case 'DocumentWaits':
    case 'DocumentFailed':
    case 'DocumentUnread':
    case 'PutIncomplete':
    case 'ShardPaced':
    case 'ShardsUnknown':
    case 'RecordRefused':
    case 'SourceWaited':
    case 'BudgetWaited':
    case 'BudgetNotHeld':
    case 'SourceUnavailable':
    case 'RunRestarted':
    case 'ResyncStarted':
    case 'ResyncEnded':
    case 'ConsumerBehind':
      return [];
  }
}

function count(name: string, value: number): EventMetric {
  return { name, unit: 'Count', value };
}

function milliseconds(name: string, value: number): EventMetric {
  return { name, unit: 'Milliseconds', value };
}
