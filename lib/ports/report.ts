import type { TelemetryEvent } from '#core/telemetry-event';

/** Takes every typed event; never throws. */
export type Report = (event: TelemetryEvent) => void;
