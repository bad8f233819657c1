/** The attributes that a sender gives a message: their rules, their digest, their size. */
import { createHash } from 'node:crypto';
import type { JsonInput } from '#local/aws-json';
import { refused } from './refusal.ts';

interface AttributeValue {
  readonly DataType: string;
  readonly StringValue?: string;
  readonly BinaryValue?: string;
}

export type MessageAttributes = Readonly<Record<string, AttributeValue>>;

/** @source SQS Developer Guide, "Message attributes" (2026-10). */
const ATTRIBUTES_MAX = 10;
const NAME_CHARS_MAX = 256;
const NAME = /^(?!\.)(?!.*\.\.)[\w.-]+(?<!\.)$/;

/** @throws {ServiceError} as SQS refuses. */
export function readMessageAttributes(input: JsonInput): MessageAttributes {
  const attributes = (input['MessageAttributes'] ?? {}) as MessageAttributes;
  const entries = Object.entries(attributes);
  if (entries.length > ATTRIBUTES_MAX) {
    throw wrong(
      `Number of message attributes [${entries.length}] exceeds the allowed maximum [${ATTRIBUTES_MAX}].`,
    );
  }
  for (const [name, value] of entries) refuseAttribute(name, value);
  return attributes;
}

function refuseAttribute(
  name: string,
  { DataType, StringValue, BinaryValue }: AttributeValue,
): void {
  if (name.length > NAME_CHARS_MAX || !NAME.test(name) || /^(aws|amazon)\./i.test(name)) {
    throw wrong(`The message attribute name '${name}' is invalid.`);
  }
  const [kind] = (typeof DataType === 'string' ? DataType : '').split('.');
  if (kind !== 'String' && kind !== 'Number' && kind !== 'Binary') {
    throw wrong(
      `The type of message (user) attribute '${name}' is invalid. You must use only the following supported type prefixes: Binary, Number, String.`,
    );
  }
  const value = kind === 'Binary' ? BinaryValue : StringValue;
  if (value === undefined || value === '') {
    throw wrong(
      `The message (user) attribute '${name}' must contain a non-empty value of type '${kind}'.`,
    );
  }
  if (kind === 'Number' && !/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(value)) {
    throw wrong(`Can't cast the value of message (user) attribute '${name}' to a number.`);
  }
}

/** Names, types and values count. */
export function attributeBytes(attributes: MessageAttributes): number {
  return Object.entries(attributes).reduce(
    (sum, [name, value]) =>
      sum + Buffer.byteLength(name) + Buffer.byteLength(value.DataType) + bytesOf(value).byteLength,
    0,
  );
}

/**
 * The MD5 that clients compare.
 *
 * @source SQS Developer Guide, "Calculating the MD5 message digest for message attributes".
 */
export function attributesDigest(attributes: MessageAttributes): string | undefined {
  const names = Object.keys(attributes).sort();
  if (names.length === 0) return undefined;
  const hash = createHash('md5');
  const part = (bytes: Buffer): void => {
    const length = Buffer.alloc(4);
    length.writeUInt32BE(bytes.byteLength);
    hash.update(length).update(bytes);
  };
  for (const name of names) {
    const value = attributes[name];
    if (value === undefined) continue;
    part(Buffer.from(name));
    part(Buffer.from(value.DataType));
    hash.update(Buffer.from([value.DataType.startsWith('Binary') ? 2 : 1]));
    part(bytesOf(value));
  }
  return hash.digest('hex');
}

/** Those that a receiver asks for by name, by `prefix.*`, by `.*` or by `All`. */
export function askedFor(
  attributes: MessageAttributes,
  asked: readonly string[],
): MessageAttributes {
  const isAsked = (name: string): boolean =>
    asked.some(
      (one) =>
        one === 'All' ||
        one === '.*' ||
        one === name ||
        (one.endsWith('.*') && name.startsWith(one.slice(0, -1))),
    );
  return Object.fromEntries(Object.entries(attributes).filter(([name]) => isAsked(name)));
}

function bytesOf({ StringValue, BinaryValue }: AttributeValue): Buffer {
  return BinaryValue === undefined
    ? Buffer.from(StringValue ?? '')
    : Buffer.from(BinaryValue, 'base64');
}

function wrong(message: string): Error {
  return refused('InvalidParameterValue', message);
}
