/** Where a consumer keeps that it refuses too much to go on. */
import type { Trip } from '#core/breaker/refusal-share';

export interface OfConsumer {
  readonly pipeline: string;
  readonly consumer: string;
}

export interface OpenBreaker extends Trip {
  readonly sinceMs: number;
  /** Names the code that found it so; other code begins anew. */
  readonly code: string;
}

export interface BreakerMark {
  readonly open: OpenBreaker | undefined;
  /** Until then everything refused goes to quarantine, however much; 0 unless someone said so. */
  readonly letUntilMs: number;
}

export interface BreakerStore {
  read(of: OfConsumer): Promise<BreakerMark>;
  /** One that the same code opened before keeps its moment and its reason. */
  open(of: OfConsumer, breaker: OpenBreaker): Promise<void>;
  /**
   * Takes the mark away, or only the one that was `seen`; false when there was none.
   *
   * @param letUntilMs stands from now on; 0 for no such time.
   */
  close(
    of: OfConsumer,
    how: { readonly letUntilMs: number; readonly seen?: OpenBreaker },
  ): Promise<boolean>;
}
