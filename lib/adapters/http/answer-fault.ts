/** Why an answer is not taken: as `PageAnswer` has it, and in one sentence that quotes nothing of it. */
export class AnswerFault extends Error {
  override readonly name = 'AnswerFault';
  readonly kind: 'refused' | 'unavailable';

  constructor(kind: AnswerFault['kind'], message: string, options?: ErrorOptions) {
    super(message, options);
    this.kind = kind;
  }
}
