/** Checks a request against its table: first what kind its members are, then their bounds. */
import { ServiceError } from '#local/aws-json';
import type { JsonInput } from '#local/aws-json';
import type { Member, Members } from './member.ts';

/** @source kinesalite, validations/index.js, asked of AWS: no more are told. */
const ERRORS_MAX = 10;

/**
 * @throws {ServiceError} SerializationException for a member of another kind; ValidationException
 * that names every member out of its bounds.
 */
export function checkInput(members: Members, input: JsonInput): void {
  const errors: string[] = [];
  checkMembers(members, input, { path: '', errors });
  if (errors.length === 0) return;
  const shown = errors.slice(0, ERRORS_MAX);
  throw new ServiceError(
    'ValidationException',
    `${shown.length} validation error${shown.length === 1 ? '' : 's'} detected: ${shown.join('; ')}`,
  );
}

interface Check {
  /** Ends with a dot, unless it is empty. */
  readonly path: string;
  readonly errors: string[];
}

function checkMembers(members: Members, input: JsonInput, check: Check): void {
  for (const name in input) {
    if (members[name] !== undefined || input[name] === null || input[name] === undefined) continue;
    throw new ServiceError(
      'ValidationException',
      `emulator limit: parameter ${check.path}${name} is not supported`,
    );
  }
  for (const name in members) {
    const member = members[name];
    if (member === undefined) continue;
    checkMember(member, input[name], { ...check, path: check.path + camel(name) });
  }
}

function checkMember(member: Member, value: unknown, check: Check): void {
  if (value === undefined || value === null) {
    if (member.isRequired) fail(check, 'null', 'not be null');
    return;
  }
  switch (member.kind) {
    case 'text':
      return checkText(member, textOf(value), check);
    case 'choice':
      if (member.values.includes(textOf(value))) return;
      return fail(check, quoted(value), `satisfy enum value set: [${member.values.join(', ')}]`);
    case 'blob':
      return checkLength(member, blobLength(value), { ...check, shown: 'java.nio.HeapByteBuffer' });
    case 'count':
      if (typeof value !== 'number' || !Number.isInteger(value)) throw otherKind(value, 'Integer');
      return checkBounds(member, value, check);
    case 'moment':
      if (typeof value !== 'number') throw otherKind(value, 'timestamp');
      return;
    case 'flag':
      if (typeof value !== 'boolean') throw otherKind(value, 'Boolean');
      return;
    case 'list': {
      if (!Array.isArray(value)) throw new ServiceError(SERIALIZATION, 'Expected list or null');
      checkLength(member, value.length, { ...check, shown: `[${value.length} members]` });
      value.forEach((one: unknown, index) => {
        checkMember(member.of, one, { ...check, path: `${check.path}.${index + 1}.member` });
      });
      return;
    }
    case 'tags':
      return checkTags(member, objectOf(value), check);
    case 'object':
      return checkMembers(member.members, objectOf(value), { ...check, path: `${check.path}.` });
  }
}

function checkText(
  { min = 0, max = Infinity, pattern }: Extract<Member, { kind: 'text' }>,
  value: string,
  check: Check,
): void {
  // Characters are never more than code units: only a long text is worth counting.
  const length = value.length <= max ? value.length : [...value].length;
  if (length > max || value.length < min) {
    checkLength({ min, max }, length, { ...check, shown: quoted(value) });
  }
  if (pattern !== undefined && !pattern.test.test(value)) {
    fail(check, quoted(value), `satisfy regular expression pattern: ${pattern.shown}`);
  }
}

/** @source Kinesis API 2013-12-02, TagKey: 1–128 characters; TagValue: 0–256. */
function checkTags(bounds: Bounds, tags: JsonInput, check: Check): void {
  const entries = Object.entries(tags);
  checkLength(bounds, entries.length, { ...check, shown: `{${entries.length} tags}` });
  for (const [key, value] of entries) {
    const path = `${check.path}.${key}`;
    checkText({ kind: 'text', min: 1, max: 128 }, key, { ...check, path: `${path}.key` });
    checkText({ kind: 'text', max: 256 }, textOf(value), { ...check, path: `${path}.value` });
  }
}

interface Bounds {
  readonly min?: number;
  readonly max?: number;
}

function checkLength(
  { min = 0, max = Infinity }: Bounds,
  length: number,
  check: Check & { shown: string },
): void {
  if (length < min) fail(check, check.shown, `have length greater than or equal to ${min}`);
  if (length > max) fail(check, check.shown, `have length less than or equal to ${max}`);
}

function checkBounds(
  { min = -Infinity, max = Infinity }: Bounds,
  value: number,
  check: Check,
): void {
  if (value < min) fail(check, quoted(value), `have value greater than or equal to ${min}`);
  if (value > max) fail(check, quoted(value), `have value less than or equal to ${max}`);
}

/** Of base64 text: the bytes that it stands for. */
function blobLength(value: unknown): number {
  const text = textOf(value);
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0;
  if (text.length % 4 === 0) return (text.length / 4) * 3 - padding;
  throw new ServiceError(
    SERIALIZATION,
    `base64 text has ${text.length} characters, which 4 does not divide`,
  );
}

const SERIALIZATION = 'SerializationException';

function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  throw otherKind(value, 'String');
}

function objectOf(value: unknown): JsonInput {
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    return value as JsonInput;
  throw otherKind(value, 'structure or map');
}

function otherKind(value: unknown, wanted: string): ServiceError {
  const kind = Array.isArray(value) ? 'list' : typeof value;
  return new ServiceError(SERIALIZATION, `${kind} can not be converted to ${wanted}`);
}

function fail({ path, errors }: Check, shown: string, constraint: string): void {
  errors.push(
    `Value ${shown} at '${path}' failed to satisfy constraint: Member must ${constraint}`,
  );
}

function quoted(value: unknown): string {
  return `'${String(value)}'`;
}

function camel(name: string): string {
  return name.slice(0, 1).toLowerCase() + name.slice(1);
}
