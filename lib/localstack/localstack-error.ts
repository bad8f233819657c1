/** A failure of Docker, of LocalStack or of the CDK's command, said in one sentence with its remedy. */
export class LocalStackError extends Error {
  override readonly name = 'LocalStackError';
}
