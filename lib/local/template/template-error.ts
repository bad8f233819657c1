/** The synthesized app cannot be run here: every reason at once, each a sentence. */
export class TemplateError extends Error {
  readonly problems: readonly string[];
  /** The same template fails the same way again. */
  readonly retryable = false;

  constructor(problems: readonly string[]) {
    super(problems.join('\n'));
    this.name = 'TemplateError';
    this.problems = problems;
  }
}
