/** The waits of a poll: those that fit into it are slept, others are stored or left to the next. */
import { backoffMs, SOURCE_BACKOFF, WAIT_UNNAMED_MS } from '#core/source/backoff';
import type { Cursor } from '#core/source/cursor';
import { encodeCursor } from '#core/source/cursor-text';
import { pauseEnd } from '#core/source/pause-end';
import type { PageAnswer, RequestGate } from '#ports/page-source';
import type { PollOutcome, PollWorld } from './poll-options.ts';
import type { PollScope } from './read-page.ts';
import { RESERVE_MS } from './send-page.ts';

/** A page that cannot be given this long to arrive is left to the next tick. */
export const PAGE_MS_MIN = 3_000;

/** A source that says to wait for no time at all is still not asked in a tight loop. */
const WAIT_MS_MIN = 500;

/** How often a source that does not answer is asked within one run. */
const SOURCE_ATTEMPTS_MAX = 4;

/** Sleep through a wait that fits into this run, else store it: a function never sleeps its time away. */
export async function waitOrPark(
  { status, waitMs: askedMs = WAIT_UNNAMED_MS }: Extract<PageAnswer, { kind: 'wait' }>,
  cursor: Cursor,
  scope: PollScope,
): Promise<PollOutcome | undefined> {
  const { world } = scope;
  const waitMs = Math.max(askedMs, WAIT_MS_MIN);
  if (fits(waitMs, world)) return waitWithin(waitMs, status, scope);
  const notBeforeMs = world.clock.nowMs() + waitMs;
  const detail = `the source asked for a pause with status ${status}`;
  return parkUntil(notBeforeMs, detail, { cursor, scope });
}

/** Wait until an answer that was the last one allowed lets the next leave; it is kept in the state already. */
export async function waitQuiet(
  notBeforeMs: number,
  scope: PollScope,
): Promise<PollOutcome | undefined> {
  const waitMs = notBeforeMs - scope.world.clock.nowMs();
  if (waitMs <= 0) return undefined;
  return fits(waitMs, scope.world) ? waitWithin(waitMs, 200, scope) : { kind: 'out-of-time' };
}

async function waitWithin(
  waitMs: number,
  status: number,
  { options: { pipeline }, world, keeper }: PollScope,
): Promise<PollOutcome | undefined> {
  world.report({ event: 'SourceWaited', pipeline, status, waitMs });
  if (!(await keeper.ensure(waitMs))) return { kind: 'lease-lost' };
  await world.clock.sleep(waitMs);
  return undefined;
}

/** Store that the source is to be left alone until then. */
export async function parkUntil(
  notBeforeMs: number,
  detail: string,
  { cursor, scope }: { readonly cursor: Cursor; readonly scope: PollScope },
): Promise<PollOutcome> {
  const saved = await scope.keeper.save({ cursor: encodeCursor(cursor), notBeforeMs });
  return saved ? { kind: 'parked', notBeforeMs, detail } : { kind: 'lease-lost' };
}

/** A poll that ends before it takes what it asked for ahead has heard all the same that it is to wait. */
export async function heedUntaken(
  answer: PageAnswer | undefined,
  { world: { clock }, keeper }: PollScope,
): Promise<void> {
  const notBeforeMs = answer && pauseEnd(answer, clock.nowMs());
  if (notBeforeMs === undefined) return;
  // Whatever the poll ends with is more than that this was not saved.
  await keeper.save({ cursor: undefined, notBeforeMs }).catch(() => false);
}

/** The gate of this poll's requests: waits for a permit keep the rules of its other waits. */
export function gateOfPoll(
  { options, world, keeper }: PollScope,
  timeoutMs: () => number,
): RequestGate | undefined {
  return world.gate?.open({
    waitMsMax: () => world.remainingMs() - RESERVE_MS - PAGE_MS_MIN,
    ensure: (waitMs) => keeper.ensure(waitMs + timeoutMs() + options.putTimeoutMs),
    timeoutMs,
  });
}

export async function pauseOrFail(
  detail: string,
  attempt: number,
  { options: { pipeline }, world }: PollScope,
): Promise<PollOutcome | undefined> {
  world.report({ event: 'SourceUnavailable', pipeline, attempt, detail });
  const pauseMs = backoffMs(attempt, SOURCE_BACKOFF, world.chance());
  if (attempt === SOURCE_ATTEMPTS_MAX || !fits(pauseMs, world)) return { kind: 'failed', detail };
  await world.clock.sleep(pauseMs);
  return undefined;
}

/** Whether a pause leaves time for the page after it. */
function fits(pauseMs: number, { remainingMs }: PollWorld): boolean {
  return pauseMs + PAGE_MS_MIN + RESERVE_MS <= remainingMs();
}
