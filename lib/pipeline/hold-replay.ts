/**
 * Takes a consumer's replay up, and keeps others from it while it is worked at.
 *
 * Always true: two never run one consumer's replays at once, unless one stands still for longer than
 * its lease; that one saves no place where the other has been, and ends with its next renewal.
 */
import type { OfConsumer } from '#ports/breaker-store';
import type { Clock } from '#ports/clock';
import type { ReplayPlace, ReplayRun, ReplayStore } from '#ports/replay-store';

export interface ReplayWorld {
  readonly store: ReplayStore;
  readonly clock: Clock;
}

export interface TakeAsk {
  readonly ask: string;
  /** What it means when it begins now; a replay that goes on keeps what it meant. */
  readonly plan: string;
  readonly owner: string;
  /** Leaves one that is not over, and begins anew. */
  readonly restart: boolean;
}

export type ReplayTaken =
  | {
      readonly kind: 'taken';
      readonly run: ReplayRun;
      /** Of the run before, when it goes on; else none. */
      readonly places: readonly ReplayPlace[];
    }
  /** Someone is at work, or was until just now. */
  | { readonly kind: 'busy'; readonly run: ReplayRun }
  /** Another one is not over. */
  | { readonly kind: 'other'; readonly run: ReplayRun };

/** One that was killed is taken up after this long. */
export const LEASE_MS = 30_000;

export async function takeReplay(
  of: OfConsumer,
  { ask, plan, owner, restart }: TakeAsk,
  { store, clock }: ReplayWorld,
): Promise<ReplayTaken> {
  const found = await store.read(of);
  const nowMs = clock.nowMs();
  const open = found?.run.finishedAtMs === null ? found : undefined;
  if (open !== undefined && open.run.leaseUntilMs > nowMs) return { kind: 'busy', run: open.run };
  const goesOn = open !== undefined && !restart;
  if (goesOn && open.run.ask !== ask) return { kind: 'other', run: open.run };
  const epoch = (found?.run.epoch ?? 0) + 1;
  const leased = { epoch, owner, leaseUntilMs: nowMs + LEASE_MS };
  const run = goesOn
    ? { ...open.run, ...leased }
    : { ask, plan, startedAtMs: nowMs, finishedAtMs: null, ...leased };
  if (await store.save(of, run, found?.run.epoch)) {
    return { kind: 'taken', run, places: goesOn ? open.places : [] };
  }
  const other = await store.read(of);
  return { kind: 'busy', run: other?.run ?? run };
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
