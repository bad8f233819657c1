/** An error as the one sentence that a person can act on. */

interface Told {
  readonly name: string;
  readonly message: string;
  readonly code?: unknown;
  readonly cause?: unknown;
  readonly errors?: readonly unknown[];
}

export function sentenceOf(error: unknown): string {
  const causes = [...causesOf(error)];
  if (causes.some(({ code }) => code === 'ECONNREFUSED')) {
    return 'No cloud answers there; `penstock up` starts one, --endpoint or AWS_ENDPOINT_URL says where.';
  }
  if (causes.some(({ name }) => name === 'CredentialsProviderError')) {
    return 'No AWS credentials were found in the environment or the profile.';
  }
  const missing = causes.find(({ name }) => name === 'ResourceNotFoundException');
  if (missing !== undefined)
    return `${missing.message.replace(/\.?$/, '.')} Is it deployed in this stage?`;
  const [first] = causes;
  return first === undefined ? String(error) : first.message;
}

function* causesOf(error: unknown): Generator<Told> {
  if (!(error instanceof Error)) return;
  const told = error as Told;
  yield told;
  yield* causesOf(told.cause);
  for (const one of told.errors ?? []) yield* causesOf(one);
}
