/** Why a request brings no answer, thrown from within. */
import type { Spent } from '#ports/page-source';

/** A request did not leave: its API's budget has no permit in time. */
export class NoPermit extends Error {
  override readonly name = 'NoPermit';
  readonly spent: Spent;

  constructor(spent: Spent) {
    super(spent.detail);
    this.spent = spent;
  }
}

/** Why an answer is not taken: as `PageAnswer` has it, and in one sentence that quotes nothing of it. */
export class AnswerFault extends Error {
  override readonly name = 'AnswerFault';
  readonly kind: 'refused' | 'unavailable';

  constructor(kind: AnswerFault['kind'], message: string, options?: ErrorOptions) {
    super(message, options);
    this.kind = kind;
  }
}
