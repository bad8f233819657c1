/** An item of a table as JSON, every digit as DynamoDB keeps it. */
import type { AttributeValue } from '@aws-sdk/client-dynamodb';

type Attributes = Readonly<Record<string, AttributeValue>>;

/** Write an attribute as JSON text. */
export function attributeJson(value: AttributeValue): string {
  if (value.N !== undefined) return value.N;
  if (value.S !== undefined) return JSON.stringify(value.S);
  if (value.BOOL !== undefined) return String(value.BOOL);
  if (value.L !== undefined) return `[${value.L.map(attributeJson).join(',')}]`;
  if (value.M !== undefined) return itemJson(value.M);
  if (value.SS !== undefined) return JSON.stringify(value.SS);
  if (value.NS !== undefined) return `[${value.NS.join(',')}]`;
  if (value.B !== undefined) return base64Json(value.B);
  if (value.BS !== undefined) return `[${value.BS.map(base64Json).join(',')}]`;
  return 'null';
}

function base64Json(bytes: Uint8Array): string {
  return JSON.stringify(Buffer.from(bytes).toString('base64'));
}

/** Write an item as one line of JSON: the record's members by name, Penstock's own after them. */
export function itemJson(item: Attributes): string {
  return `{${sorted(item)
    .map(([name, value]) => `${JSON.stringify(name)}:${attributeJson(value)}`)
    .join(',')}}`;
}

/** Write an item as one line a member, for a person. */
export function itemLines(item: Attributes): string[] {
  const widest = Math.max(0, ...Object.keys(item).map((name) => name.length));
  return sorted(item).map(([name, value]) => `${name.padEnd(widest)}  ${attributeJson(value)}`);
}

function sorted(item: Attributes): (readonly [string, AttributeValue])[] {
  const rank = (name: string): string => (name.startsWith('_') ? `1${name}` : `0${name}`);
  return Object.entries(item).sort(([one], [other]) => (rank(one) < rank(other) ? -1 : 1));
}
