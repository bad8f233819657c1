/** How loud an event is, by its consequence alone. */
import type { TelemetryEvent } from '#core/telemetry-event';

/** `warn`: nothing lost, no one needed. `error`: a person is needed. */
export type Level = 'info' | 'warn' | 'error';

/** @example levelOf({ event: 'RunRestarted', pipeline: 'orders', detail: '' }); // 'warn' */
export function levelOf(event: TelemetryEvent): Level {
  switch (event.event) {
    case 'PagePublished':
    case 'ResyncEnded':
    case 'BudgetWaited':
    case 'SnapshotSettled':
      return 'info';
    case 'BatchConsumed':
      return event.returned > 0 ? 'warn' : 'info';
    case 'PutIncomplete':
    case 'ShardPaced':
    case 'ShardsUnknown':
    case 'SourceWaited':
    case 'BudgetNotHeld':
    case 'SourceUnavailable':
    case 'RunRestarted':
    case 'ResyncStarted':
    case 'ConsumerBehind':
    case 'CheckpointFailed':
    case 'TableSlowed':
      return 'warn';
    case 'BreakerClosed':
      return 'info';
    case 'DocumentRecovered':
      return event.givenUp > 0 ? 'error' : 'info';
    case 'DocumentWaits':
      return 'warn';
    case 'DocumentFailed':
      return 'warn';
    case 'DocumentUnread':
      // Nobody else will read it.
      return 'error';
    case 'BreakerOpened':
      // Everything waits, and nobody else will look.
      return 'error';
    case 'RecordRefused':
      // It is kept, but no table holds it until someone has looked.
      return 'error';
    case 'WriteFailed':
      return event.retryable ? 'warn' : 'error';
    case 'PollEnded':
      // A page too large for the time given is begun again at every tick.
      if (event.outcome === 'out-of-time' && event.pages === 0) return 'warn';
      return POLL_LEVELS[event.outcome];
  }
}

type PollOutcome = Extract<TelemetryEvent, { event: 'PollEnded' }>['outcome'];

const POLL_LEVELS: Readonly<Record<PollOutcome, Level>> = {
  'caught-up': 'info',
  'out-of-time': 'info',
  parked: 'info',
  paused: 'info',
  'held-back': 'warn',
  'lease-held': 'info',
  'lease-lost': 'warn',
  failed: 'error',
};
