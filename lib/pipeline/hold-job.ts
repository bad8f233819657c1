/**
 * Takes a job up, and keeps others from it while it is worked at.
 *
 * Always true: two never work at one job at once, whatever their clocks say, unless one
 * stands still for longer than its lease; that one saves no place where the other has been, and ends
 * with its next renewal.
 */
import type { Clock } from '#ports/clock';
import type { HeldJob, HeldJobs } from '#ports/held-job';

export interface JobWorld<Of, Places> {
  readonly store: HeldJobs<Of, Places>;
  readonly clock: Clock;
}

export interface JobAsk {
  readonly ask: string;
  /** Leaves one that is not over, and begins anew. */
  readonly restart: boolean;
}

interface Open<Places> {
  readonly run: HeldJob;
  readonly places: Places;
}

export type JobFound<Places> =
  /** Nobody is at work; `open` is what it goes on with. */
  | {
      readonly kind: 'free';
      /** As it was seen. */
      readonly last: HeldJob | undefined;
      readonly open: Open<Places> | undefined;
    }
  /** Someone is at work, or was until just now. */
  | { readonly kind: 'busy'; readonly run: HeldJob }
  /** Another one is not over. */
  | { readonly kind: 'other'; readonly run: HeldJob };

export type JobTaken<Places> =
  | {
      readonly kind: 'taken';
      readonly run: HeldJob;
      /** Of the run before, when it goes on; else undefined. */
      readonly places: Places | undefined;
    }
  | { readonly kind: 'busy'; readonly run: HeldJob };

/** One that was killed is taken up after this long, and after as long again on a clock that is ahead. */
export const LEASE_MS = 30_000;
const LOOK_MS = 5_000;

/**
 * Look whether a job may be taken up.
 *
 * A lease is written by one clock and read by another: one that is over by this clock is watched for
 * as long as it lasts, unless it was given back; whoever renews it meanwhile is at work.
 *
 * @param onWatch told before that.
 */
export async function findJob<Of, Places>(
  of: Of,
  { ask, restart }: JobAsk,
  { store, clock }: JobWorld<Of, Places>,
  onWatch: (run: HeldJob) => void = () => {},
): Promise<JobFound<Places>> {
  let found = await store.read(of);
  if (found?.run.finishedAtMs !== null) return { kind: 'free', last: found?.run, open: undefined };
  const { run } = found;
  if (run.leaseUntilMs > clock.nowMs()) return { kind: 'busy', run };
  if (!restart && run.ask !== ask) return { kind: 'other', run };
  if (run.leaseUntilMs > 0) {
    onWatch(run);
    for (let watchedMs = 0; watchedMs < LEASE_MS; watchedMs += LOOK_MS) {
      await clock.sleep(LOOK_MS);
      found = (await store.read(of)) ?? found;
      if (!isSame(found.run, run)) return { kind: 'busy', run: found.run };
    }
  }
  return { kind: 'free', last: run, open: restart ? undefined : found };
}

/**
 * Take up what was found free, unless somebody came first.
 *
 * @param plan what it means when it begins now; one that goes on keeps what it meant.
 */
export async function takeJob<Of, Places>(
  of: Of,
  { last, open }: JobFound<Places> & { readonly kind: 'free' },
  { ask, plan, owner }: { readonly ask: string; readonly plan: string; readonly owner: string },
  { store, clock }: JobWorld<Of, Places>,
): Promise<JobTaken<Places>> {
  const nowMs = clock.nowMs();
  const leased = { epoch: (last?.epoch ?? 0) + 1, owner, leaseUntilMs: nowMs + LEASE_MS };
  const run = open
    ? { ...open.run, ...leased }
    : { ask, plan, startedAtMs: nowMs, finishedAtMs: null, ...leased };
  const before = await store.read(of);
  const isFree = isSame(before?.run, last);
  if (isFree && (await store.save(of, run, last?.epoch))) {
    return { kind: 'taken', run, places: open?.places };
  }
  const other = await store.read(of);
  return { kind: 'busy', run: other?.run ?? run };
}

/** Whoever takes it up raises the epoch; whoever is at work moves the lease. */
function isSame(one: HeldJob | undefined, other: HeldJob | undefined): boolean {
  return one?.epoch === other?.epoch && one?.leaseUntilMs === other?.leaseUntilMs;
}

/**
 * Work while the lease is renewed, and give it back.
 *
 * @param work `lost` aborts when another has taken the job; `finished` of its answer says whether
 *   it is over.
 */
export async function holdJob<Of, T extends { readonly finished: boolean }>(
  of: Of,
  run: HeldJob,
  { store, clock }: JobWorld<Of, unknown>,
  work: (lost: AbortSignal) => Promise<T>,
): Promise<T> {
  const lost = new AbortController();
  const over = Promise.withResolvers<'over'>();
  const renewing = renew();
  let finished = false;
  try {
    const result = await work(lost.signal);
    ({ finished } = result);
    return result;
  } finally {
    over.resolve('over');
    await renewing;
    if (!lost.signal.aborted) {
      const finishedAtMs = finished ? clock.nowMs() : null;
      await store.save(of, { ...run, leaseUntilMs: 0, finishedAtMs }, run.epoch);
    }
  }

  async function renew(): Promise<void> {
    for (;;) {
      const turn = await Promise.race([over.promise, clock.sleep(LEASE_MS / 3)]);
      if (turn === 'over') return;
      const leaseUntilMs = clock.nowMs() + LEASE_MS;
      const isOurs = await store.save(of, { ...run, leaseUntilMs }, run.epoch).catch(() => true);
      if (isOurs) continue;
      lost.abort();
      return;
    }
  }
}
