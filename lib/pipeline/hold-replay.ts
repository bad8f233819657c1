/**
 * Takes a consumer's replay up, and keeps others from it while it is worked at.
 *
 * Always true: two never run one consumer's replays at once, whatever their clocks say, unless one
 * stands still for longer than its lease; that one saves no place where the other has been, and ends
 * with its next renewal.
 */
import type { OfConsumer } from '#ports/breaker-store';
import type { Clock } from '#ports/clock';
import type { ReplayPlace, ReplayRun, ReplayStore } from '#ports/replay-store';

export interface ReplayWorld {
  readonly store: ReplayStore;
  readonly clock: Clock;
}

export interface ReplayAsk {
  readonly ask: string;
  /** Leaves one that is not over, and begins anew. */
  readonly restart: boolean;
}

interface Open {
  readonly run: ReplayRun;
  readonly places: readonly ReplayPlace[];
}

export type ReplayFound =
  /** Nobody is at work; `open` is what it goes on with. */
  | {
      readonly kind: 'free';
      /** As it was seen. */
      readonly last: ReplayRun | undefined;
      readonly open: Open | undefined;
    }
  /** Someone is at work, or was until just now. */
  | { readonly kind: 'busy'; readonly run: ReplayRun }
  /** Another one is not over. */
  | { readonly kind: 'other'; readonly run: ReplayRun };

export type ReplayTaken =
  | {
      readonly kind: 'taken';
      readonly run: ReplayRun;
      /** Of the run before, when it goes on; else none. */
      readonly places: readonly ReplayPlace[];
    }
  | { readonly kind: 'busy'; readonly run: ReplayRun };

/** One that was killed is taken up after this long, and after as long again on a clock that is ahead. */
export const LEASE_MS = 30_000;
const LOOK_MS = 5_000;

/**
 * Look whether a replay may be taken up.
 *
 * A lease is written by one clock and read by another: one that is over by this clock is watched for
 * as long as it lasts, unless it was given back; whoever renews it meanwhile is at work.
 *
 * @param onWatch told before that.
 */
export async function findReplay(
  of: OfConsumer,
  { ask, restart }: ReplayAsk,
  { store, clock }: ReplayWorld,
  onWatch: (run: ReplayRun) => void = () => {},
): Promise<ReplayFound> {
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
 * @param plan what it means when it begins now; a replay that goes on keeps what it meant.
 */
export async function takeReplay(
  of: OfConsumer,
  { last, open }: ReplayFound & { readonly kind: 'free' },
  { ask, plan, owner }: { readonly ask: string; readonly plan: string; readonly owner: string },
  { store, clock }: ReplayWorld,
): Promise<ReplayTaken> {
  const nowMs = clock.nowMs();
  const leased = { epoch: (last?.epoch ?? 0) + 1, owner, leaseUntilMs: nowMs + LEASE_MS };
  const run = open
    ? { ...open.run, ...leased }
    : { ask, plan, startedAtMs: nowMs, finishedAtMs: null, ...leased };
  const before = await store.read(of);
  const isFree = isSame(before?.run, last);
  if (isFree && (await store.save(of, run, last?.epoch))) {
    return { kind: 'taken', run, places: open?.places ?? [] };
  }
  const other = await store.read(of);
  return { kind: 'busy', run: other?.run ?? run };
}

/** Whoever takes it up raises the epoch; whoever is at work moves the lease. */
function isSame(one: ReplayRun | undefined, other: ReplayRun | undefined): boolean {
  return one?.epoch === other?.epoch && one?.leaseUntilMs === other?.leaseUntilMs;
}

/**
 * Work while the lease is renewed, and give it back.
 *
 * @param work `lost` aborts when another has taken the replay; `finished` of its answer says whether
 *   the replay is over.
 */
export async function holdReplay<T extends { readonly finished: boolean }>(
  of: OfConsumer,
  run: ReplayRun,
  { store, clock }: ReplayWorld,
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
