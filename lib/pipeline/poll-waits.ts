/** The waits of a poll: those that fit into it are slept, others are stored or left to the next. */
import { backoffMs, SOURCE_BACKOFF, WAIT_UNNAMED_MS } from '#core/source/backoff';
import type { Cursor } from '#core/source/cursor';
import { encodeCursor } from '#core/source/cursor-text';
import { pauseEnd } from '#core/source/pause-end';
import type { PageAnswer, PageSource, RequestGate, Spent } from '#ports/page-source';
import type { PollOutcome, PollWorld } from './poll-options.ts';
import type { PollScope } from './read-page.ts';
import { RESERVE_MS } from './send-page.ts';
import type { SourceQuiet } from './source-quiet.ts';

export type QuietScope = PollScope & { readonly quiet: SourceQuiet };

/** A page that cannot be given this long to arrive is left to the next tick. */
export const PAGE_MS_MIN = 3_000;

/** Whoever asks for less asks for no time at all: its refusal is one that may pass, like a failure. */
const WAIT_MS_MIN = 500;

/** How often a source that does not answer is asked within one run. */
const SOURCE_ATTEMPTS_MAX = 4;

/**
 * Sleep through a wait that fits into this run, else store it: a function never sleeps its time away.
 *
 * @param ask.refusals in a row, this one with them: a wait is never shorter than the pause after as many failures.
 */
export async function waitOrPark(
  { status, waitMs: askedMs = WAIT_UNNAMED_MS }: Extract<PageAnswer, { kind: 'wait' }>,
  {
    refusals,
    cursor,
    scope,
  }: { readonly refusals: number; readonly cursor: Cursor; readonly scope: PollScope },
): Promise<PollOutcome | undefined> {
  const { world } = scope;
  if (askedMs < WAIT_MS_MIN) {
    const said = `the source asked for a pause with status ${status}, and for no time at all`;
    return pauseOrFail(said, refusals, scope);
  }
  const waitMs = Math.max(askedMs, backoffMs(refusals, SOURCE_BACKOFF, world.chance()));
  if (fits(waitMs, world)) return waitWithin(waitMs, status, scope);
  const notBeforeMs = world.clock.nowMs() + waitMs;
  const detail = `the source asked for a pause with status ${status}`;
  return parkUntil(notBeforeMs, detail, { cursor, scope });
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

/** End a run that is over before the source may be asked: with the pages it has, where it has some. */
export async function leaveOff(
  { notBeforeMs, detail }: Spent,
  cursor: Cursor,
  scope: PollScope,
): Promise<PollOutcome> {
  const end = await parkUntil(notBeforeMs, detail, { cursor, scope });
  return end.kind === 'parked' && scope.progress.pages > 0 ? { kind: 'out-of-time' } : end;
}

/** Store that the source is to be left alone until then. */
async function parkUntil(
  notBeforeMs: number,
  detail: string,
  { cursor, scope }: { readonly cursor: Cursor; readonly scope: PollScope },
): Promise<PollOutcome> {
  const saved = await scope.keeper.save({ cursor: encodeCursor(cursor), notBeforeMs });
  return saved ? { kind: 'parked', notBeforeMs, detail } : { kind: 'lease-lost' };
}

/** The gate of this poll's requests: waits for a permit keep the rules of its other waits. */
function gateOfPoll(scope: QuietScope): RequestGate {
  const timeoutMs = () => pageTimeoutMs(scope);
  const { options, world, keeper, quiet } = scope;
  const budget = world.gate?.open({
    waitMsMax: () => leftMs(world) - PAGE_MS_MIN,
    ensure: (waitMs) => keeper.ensure(waitMs + timeoutMs() + options.putTimeoutMs),
    timeoutMs,
  });
  return {
    approach: async (signal, withinMs) =>
      (await passQuiet(scope)) ?? budget?.approach(signal, withinMs),
    async enter(signal) {
      const spent = await passQuiet(scope);
      if (spent) return spent;
      return budget?.enter(signal) ?? { kind: 'granted', timeoutMs: timeoutMs() };
    },
    async hold(untilMs) {
      quiet.hold(untilMs);
      await budget?.hold(untilMs);
    },
  };
}

/** The source of a poll, asked for nothing before its answers, whatever they are, have allowed it. */
export function heedfulSource(scope: QuietScope): PageSource {
  const { world, quiet } = scope;
  const gate = gateOfPoll(scope);
  return {
    async fetchPage(request) {
      const spent = quiet.leftMs() > 0 ? await passQuiet(scope) : undefined;
      if (spent) return spent;
      const answer = await world.source.fetchPage({ ...request, gate });
      const untilMs = pauseEnd(answer, world.clock.nowMs());
      if (untilMs !== undefined) quiet.hold(untilMs);
      return answer;
    },
  };
}

/** Sleep while the source is to be left alone; where that does not fit into this run, say until when. */
async function passQuiet(scope: QuietScope): Promise<Spent | undefined> {
  const { options, world, keeper, quiet } = scope;
  for (let waitMs = quiet.leftMs(); waitMs > 0; waitMs = quiet.leftMs()) {
    const notBeforeMs = quiet.untilMs();
    const spent: Spent = { kind: 'spent', notBeforeMs, detail: 'the source asked for a pause' };
    const isOurs = () => keeper.ensure(waitMs + pageTimeoutMs(scope) + options.putTimeoutMs);
    if (!fits(waitMs, world) || !(await isOurs())) return spent;
    world.report({ event: 'SourceWaited', pipeline: options.pipeline, waitMs });
    await world.clock.sleep(waitMs);
  }
  return undefined;
}

export async function pauseOrFail(
  detail: string,
  attempt: number,
  { options: { pipeline }, world }: PollScope,
): Promise<PollOutcome | undefined> {
  world.report({ event: 'SourceUnavailable', pipeline, attempt, detail });
  const pauseMs = backoffMs(attempt, SOURCE_BACKOFF, world.chance());
  if (attempt >= SOURCE_ATTEMPTS_MAX || !fits(pauseMs, world)) return { kind: 'failed', detail };
  await world.clock.sleep(pauseMs);
  return undefined;
}

/** Whether a pause leaves time for the page after it. */
function fits(pauseMs: number, world: PollWorld): boolean {
  return pauseMs + PAGE_MS_MIN <= leftMs(world);
}

/** What is left of this run for asking and publishing. */
export function leftMs({ remainingMs }: PollWorld): number {
  return remainingMs() - RESERVE_MS;
}

/** How long a page that is asked for now may take. */
export function pageTimeoutMs({ options, world }: PollScope): number {
  return Math.max(1, Math.min(options.sourceTimeoutMs, leftMs(world)));
}
