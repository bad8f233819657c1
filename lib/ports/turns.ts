/** For what one function alone may do at a time. */

export interface Turn {
  readonly name: string;
  /** Rises by one with every turn. */
  readonly number: number;
  /** Whoever has not ended by then has lost it. */
  readonly untilMs: number;
}

export type TakenTurn =
  | ({ readonly kind: 'taken' } & Turn)
  | { readonly kind: 'held'; readonly untilMs: number };

export interface Turns {
  /** Takes the turn if nobody has it or its time is over. */
  take(ask: { name: string; nowMs: number; lengthMs: number }): Promise<TakenTurn>;
  /** Gives it back, if it is still ours. */
  giveBack(turn: Turn): Promise<void>;
}
