/** Everything Penstock says about itself while it runs, as data. */
import type { ConsumeEvent } from '#core/checkpoint/consume-event';
import type { RecoverEvent } from '#core/checkpoint/recover-event';
import type { PollEvent } from '#core/source/poll-event';

export type TelemetryEvent = PollEvent | ConsumeEvent | RecoverEvent;
