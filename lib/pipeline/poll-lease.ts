/** One poller's hold on its pipeline's state. */
import type { Clock } from '#ports/clock';
import type { Lease, PollEnd, PollState, PollStateStore } from '#ports/poll-state';

export interface LeaseKeeper {
  /** Makes sure that the lease outlasts `neededMs`, renewing it if not; false when it was lost. */
  ensure(neededMs: number): Promise<boolean>;
  /** Saves and renews; false when another poller owns the state, and nothing was saved. */
  save(state: PollState): Promise<boolean>;
  /** Gives the lease back with how the poll ended; without where the source was not asked. */
  release(end: PollEnd | undefined): Promise<void>;
}

export function leaseKeeper(
  taken: { readonly lease: Lease; readonly state: PollState; readonly leaseMs: number },
  {
    store,
    clock,
    sent,
  }: {
    readonly store: PollStateStore;
    readonly clock: Clock;
    /** What is saved of what was published, whenever something is. */
    readonly sent: () => string | undefined;
  },
): LeaseKeeper {
  let { lease, state } = taken;
  let last: Promise<unknown> = Promise.resolve();

  /** One write after the other: a renewal beside a save must not bring back the state before it. */
  function write(next: PollState | undefined, leaseMs: number): Promise<boolean> {
    const turn = last.then(() => writeNow(next ?? state, leaseMs));
    last = turn.catch(() => undefined);
    return turn;
  }
  async function writeNow(next: PollState, leaseMs: number): Promise<boolean> {
    const renewed = await store.save(lease, { ...next, sent: sent() }, clock.nowMs() + leaseMs);
    if (renewed === undefined) return false;
    [lease, state] = [renewed, next];
    return true;
  }
  return {
    async ensure(neededMs) {
      if (lease.untilMs - clock.nowMs() > neededMs) return true;
      return write(undefined, taken.leaseMs + neededMs);
    },
    save: (next) => write(next, taken.leaseMs),
    release: (end) => store.release(lease, end, sent()),
  };
}
