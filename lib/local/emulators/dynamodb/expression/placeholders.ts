/** ExpressionAttributeNames and ExpressionAttributeValues: what `#n` and `:v` stand for. */
import { ServiceError } from '#local/aws-json';
import type { JsonInput } from '#local/aws-json';
import { parseValue } from '#local/emulators/dynamodb/attribute-value';
import type { AttributeMap, AttributeValue } from '#local/emulators/dynamodb/attribute-value';
import { invalid } from '#local/emulators/dynamodb/refusal';

/** @source DynamoDB developer guide, quotas, expression parameters. */
const KEY_BYTES_MAX = 255;
const BYTES_MAX = 2 * 1024 * 1024;
const KEY_FORMS = { '#': /^#[A-Za-z0-9_]+$/, ':': /^:[A-Za-z0-9_]+$/ };

export type NameMap = Readonly<Record<string, string>>;

export function readNames({ ExpressionAttributeNames: raw }: JsonInput): NameMap | undefined {
  const entries = readEntries('ExpressionAttributeNames', '#', raw);
  if (entries === undefined) return undefined;
  const names: Record<string, string> = Object.create(null);
  for (const [alias, name] of entries) {
    if (typeof name !== 'string' || name === '') {
      throw invalid(
        `ExpressionAttributeNames contains invalid value: Empty attribute name for key ${alias}`,
      );
    }
    names[alias] = name;
  }
  return names;
}

export function readValues({
  ExpressionAttributeValues: raw,
}: JsonInput): AttributeMap | undefined {
  const entries = readEntries('ExpressionAttributeValues', ':', raw);
  if (entries === undefined) return undefined;
  const values: Record<string, AttributeValue> = Object.create(null);
  for (const [key, value] of entries) {
    try {
      values[key] = parseValue(value);
    } catch (error) {
      if (!(error instanceof ServiceError) || error.code !== 'ValidationException') throw error;
      throw invalid(
        `ExpressionAttributeValues contains invalid value: ${error.message} for key ${key}`,
      );
    }
  }
  return values;
}

function readEntries(
  parameter: string,
  mark: '#' | ':',
  raw: unknown,
): readonly (readonly [string, unknown])[] | undefined {
  if (raw === undefined || raw === null) return undefined;
  const entries = Object.entries(raw);
  if (entries.length === 0) throw invalid(`${parameter} must not be empty`);
  let bytes = 0;
  for (const [key, value] of entries) {
    const size = Buffer.byteLength(key);
    if (size > KEY_BYTES_MAX) {
      throw invalid(
        `${parameter} contains invalid key: The expression attribute map contains a key that is too long; ` +
          `size of key: ${size}`,
      );
    }
    if (!KEY_FORMS[mark].test(key)) {
      throw invalid(`${parameter} contains invalid key: Syntax error; key: "${key}"`);
    }
    bytes += size + (typeof value === 'string' ? Buffer.byteLength(value) : 0);
  }
  if (bytes > BYTES_MAX) throw invalid(`${parameter} exceeds max size`);
  return entries;
}
