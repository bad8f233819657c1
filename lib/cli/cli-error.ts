/** A failure that one sentence explains; a command ends with it and exit code 1. */
export class CliError extends Error {
  override readonly name = 'CliError';
}

/** The command line itself is wrong: exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
