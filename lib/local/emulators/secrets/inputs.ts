/** Reads members of a request, and refuses what Secrets Manager would refuse. */
import { ServiceError } from '#local/aws-json';
import type { JsonInput } from '#local/aws-json';

/** @source Secrets Manager API 2017-10-17, PutSecretValue: bytes of a value. */
const VALUE_BYTES_MAX = 65_536;

export function refused(code: string, message: string): ServiceError {
  return new ServiceError(code, message, { members: { Message: message } });
}

export function onlyKnown(input: JsonInput, known: readonly string[]): void {
  for (const [name, value] of Object.entries(input)) {
    if (known.includes(name) || value === null || value === undefined) continue;
    const message = `emulator limit: parameter ${name} is not supported by the local cloud`;
    throw refused('InvalidParameterException', message);
  }
}

export function text(input: JsonInput, member: string): string | undefined {
  const value = input[member];
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'string') return value;
  throw refused('SerializationException', `${member} is not a string`);
}

export function texts(input: JsonInput, member: string): readonly string[] | undefined {
  const value = input[member];
  if (value === undefined || value === null) return undefined;
  if (Array.isArray(value) && value.every((one) => typeof one === 'string')) return value;
  throw refused('SerializationException', `${member} is not a list of strings`);
}

export function invalid(member: string, value: unknown, constraint: string): ServiceError {
  const shown = value === undefined ? 'null' : `'${String(value)}'`;
  return refused(
    'ValidationException',
    `1 validation error detected: Value ${shown} at '${member}' failed to satisfy constraint: ` +
      `Member must ${constraint}`,
  );
}

export function count(
  input: JsonInput,
  member: string,
  { min, max }: { readonly min: number; readonly max: number },
): number | undefined {
  const value = input[member];
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max) {
    return value;
  }
  const name = member.slice(0, 1).toLowerCase() + member.slice(1);
  const bound =
    Number(value) < min ? `greater than or equal to ${min}` : `less than or equal to ${max}`;
  throw invalid(name, value, `have value ${bound}`);
}

export interface GivenValue {
  readonly secretString: string | undefined;
  readonly secretBinary: string | undefined;
}

/** The one of both that is given; undefined: none is. */
export function valueIn(input: JsonInput): GivenValue | undefined {
  const secretString = text(input, 'SecretString');
  const secretBinary = text(input, 'SecretBinary');
  if (secretString === undefined && secretBinary === undefined) return undefined;
  if (secretString !== undefined && secretBinary !== undefined) {
    throw refused(
      'InvalidParameterException',
      "You can't specify both a binary secret value and a string secret value in the same secret.",
    );
  }
  const [member, bytes] =
    secretString === undefined
      ? ['secretBinary', Buffer.from(secretBinary ?? '', 'base64').byteLength]
      : ['secretString', Buffer.byteLength(secretString)];
  if (bytes > VALUE_BYTES_MAX) {
    const length = `have length less than or equal to ${VALUE_BYTES_MAX}`;
    throw refused(
      'ValidationException',
      `1 validation error detected: Value at '${member}' failed to satisfy constraint: Member must ${length}`,
    );
  }
  return { secretString, secretBinary };
}

/** The id of the version that a request makes. */
export function tokenIn(input: JsonInput, newId: () => string): string {
  const token = text(input, 'ClientRequestToken') ?? newId();
  if (token.length >= 32 && token.length <= 64) return token;
  throw refused('InvalidParameterException', 'ClientRequestToken must be 32-64 characters long.');
}
