/** One window of a shard: its bounds, and the state that its invocations hand on. */

/** As it is kept over restarts. */
export interface WindowState {
  readonly startMs: number;
  readonly endMs: number;
  /** What the function answered last, as JSON. */
  readonly state: string;
}

/** @source Lambda Developer Guide, "Implementing stateful Kinesis Data Streams processing in Lambda". */
const STATE_BYTES_MAX = 1024 * 1024;
/** What the members beside the records can take, state included. */
export const WINDOW_MEMBERS_BYTES_MAX = STATE_BYTES_MAX + 1024;

/** The window that a moment belongs to; windows are counted from the epoch. */
export function windowAt(arrivalTimeMs: number, windowSec: number): WindowState {
  const startMs = Math.floor(arrivalTimeMs / (windowSec * 1000)) * windowSec * 1000;
  return { startMs, endMs: startMs + windowSec * 1000, state: '{}' };
}

export function isStateTooLarge({ state }: WindowState): boolean {
  return Buffer.byteLength(state) > STATE_BYTES_MAX;
}

/** Stands beside the records of an event. */
export function windowMembers(
  { startMs, endMs, state }: WindowState,
  source: { readonly shardId: string; readonly streamArn: string },
  ending: 'open' | 'final' | 'early' = 'open',
): string {
  const window = { start: isoSeconds(startMs), end: isoSeconds(endMs) };
  const rest = {
    shardId: source.shardId,
    eventSourceARN: source.streamArn,
    isFinalInvokeForWindow: ending !== 'open',
    isWindowTerminatedEarly: ending === 'early',
  };
  return `,"window":${JSON.stringify(window)},"state":${state},${JSON.stringify(rest).slice(1, -1)}`;
}

function isoSeconds(epochMs: number): string {
  return `${new Date(epochMs).toISOString().slice(0, 19)}Z`;
}
