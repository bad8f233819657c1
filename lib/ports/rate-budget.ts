/** One line of time for each API, of which all functions that ask it take their portions. */

export interface TakeAsk {
  readonly api: string;
  readonly nowMs: number;
  /** How much of the line, in whole ms. */
  readonly spanMs: number;
  /** Nothing is taken that begins later. */
  readonly latestMs: number;
}

export type Taken =
  /** From here on, `spanMs` are the taker's alone; nothing may leave before `heldUntilMs`. */
  | { readonly kind: 'taken'; readonly fromMs: number; readonly heldUntilMs: number }
  /** The line is taken until then. */
  | { readonly kind: 'later'; readonly fromMs: number };

export interface RateBudget {
  /**
   * Takes the next of the line: what others have taken is over by then, and so is `nowMs`. One
   * conditional write decides; nobody is ever given what another has, and nothing is given back.
   *
   * @throws an error with `retryable` when it cannot be known: then nothing may leave.
   */
  take(ask: TakeAsk): Promise<Taken>;
  /** The API asked to be left alone: nothing that begins before is given from now on; never shortened. */
  hold(api: string, untilMs: number): Promise<void>;
  /** Until when the API asked to be left alone; 0 where it never did. */
  heldUntilMs(api: string): Promise<number>;
}
