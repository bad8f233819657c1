/** An error as the one sentence that a person can act on. */
import { LOCALSTACK_ENDPOINT } from '#cli/choose-cloud';

interface Told {
  readonly name: string;
  readonly message: string;
  readonly cause?: unknown;
  readonly errors?: readonly unknown[];
  /** Of a connection that failed. */
  readonly code?: unknown;
  readonly address?: unknown;
  readonly hostname?: unknown;
  readonly port?: unknown;
  /** What the SDK could not read. */
  readonly $response?: { readonly statusCode?: number };
}

/** Says what is wrong and what helps; undefined when it is something else. */
type Rule = (told: Told) => string | undefined;

/** Something answers, and nothing of it can be read as AWS's. */
export const NO_CLOUD_THERE =
  'What answers there is no AWS service: --cloud or AWS_ENDPOINT_URL holds another address.';

const UNREACHABLE = ['ECONNREFUSED', 'ECONNRESET', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH'];
const TIMED_OUT = ['TimeoutError', 'ETIMEDOUT', 'ESOCKETTIMEDOUT'];
const DENIED = ['AccessDeniedException', 'AccessDenied', 'UnauthorizedOperation'];
const UNKNOWN_KEYS = [
  'UnrecognizedClientException',
  'InvalidClientTokenId',
  'InvalidSignatureException',
  'IncompleteSignatureException',
];
const EXPIRED = /token.*\b(is|has) expired|session.*\b(has expired|is invalid)|^ExpiredToken/is;

/** The first that knows an error, or a cause of it, has the word. */
const RULES: readonly Rule[] = [
  ({ code, address, hostname, port }) => {
    if (!UNREACHABLE.includes(String(code))) return undefined;
    const where = [hostname ?? address, port].filter((part) => part !== undefined).join(':');
    return nobodySentence(where || 'that address');
  },
  ({ name, code }) =>
    [name, code].some((word) => TIMED_OUT.includes(String(word)))
      ? 'The cloud took the request and did not answer in time: is it the right address, and is it well?'
      : undefined,
  ({ name, message }) =>
    EXPIRED.test(message) || EXPIRED.test(name)
      ? 'The AWS session has expired: run `aws sso login`, or renew the credentials, and try again.'
      : undefined,
  ({ name }) =>
    name === 'CredentialsProviderError'
      ? 'No AWS credentials were found: AWS_PROFILE must name a profile of ~/.aws/config; `aws sso login` or `aws configure` fills it.'
      : undefined,
  ({ message }) =>
    message.startsWith('Region is missing')
      ? 'No AWS region is chosen: set AWS_REGION, or `region` of the profile in ~/.aws/config.'
      : undefined,
  ({ name }) =>
    UNKNOWN_KEYS.includes(name)
      ? 'AWS does not accept these credentials: AWS_PROFILE or AWS_ACCESS_KEY_ID names others than you mean.'
      : undefined,
  ({ name, message }) => (DENIED.includes(name) ? deniedSentence(message) : undefined),
  ({ code, name, message, $response }) =>
    code === 'EPROTO' ||
    (name === 'SyntaxError' && $response !== undefined) ||
    message === 'UnknownError'
      ? NO_CLOUD_THERE
      : undefined,
  // Built-in fetch, of a port that it does not even ask.
  ({ message }) => (message === 'fetch failed' ? nobodySentence('that address') : undefined),
];

export function sentenceOf(error: unknown): string {
  const causes = [...causesOf(error)];
  for (const rule of RULES) {
    for (const told of causes) {
      const sentence = rule(told);
      if (sentence !== undefined) return sentence;
    }
  }
  return missingSentence(causes) ?? causes[0]?.message ?? String(error);
}

function nobodySentence(where: string): string {
  const start = LOCALSTACK_ENDPOINT.endsWith(`//${where}`)
    ? `penstock demo --cloud localstack --stay --port ${where.split(':').at(-1)}`
    : 'penstock up';
  return `No cloud answers at ${where}: \`${start}\` starts one, --cloud or AWS_ENDPOINT_URL says where.`;
}

/** @example deniedSentence('User: arn:… is not authorized to perform: kinesis:ListShards on resource: arn:…') */
function deniedSentence(message: string): string {
  const action = /perform: ([\w-]+:\w+)/.exec(message)?.[1];
  const resource = /on resource: (\S+)/.exec(message)?.[1];
  if (action === undefined) return `AWS refuses it to these credentials: ${message}`;
  return `These credentials lack ${action}${resource === undefined ? '' : ` on ${resource}`}: allow it in their policy.`;
}

/** DynamoDB does not say which table it misses; whoever called it does. */
function missingSentence(causes: readonly Told[]): string | undefined {
  const missing = causes.find(({ name }) => name === 'ResourceNotFoundException');
  if (missing === undefined) return undefined;
  const named = causes.flatMap(
    ({ message }) => /(stream|table)[ /](penstock-[\w-]+)/i.exec(message) ?? [],
  );
  const [, kind, name] = named;
  if (kind === undefined || name === undefined) {
    return `${missing.message.replace(/\.?$/, '.')} Is it deployed in this stage?`;
  }
  return `The ${kind.toLowerCase()} ${name} is missing: is it deployed in this stage?`;
}

function* causesOf(error: unknown): Generator<Told> {
  if (!(error instanceof Error)) return;
  const told = error as Told;
  yield told;
  yield* causesOf(told.cause);
  for (const one of told.errors ?? []) yield* causesOf(one);
}
