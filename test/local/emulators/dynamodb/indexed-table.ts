/** A table with an index of each kind, to put items into. */
import type { AskDynamo, Item } from './ask-dynamo.ts';

const key = (hash: string, range?: string) => [
  { AttributeName: hash, KeyType: 'HASH' },
  ...(range === undefined ? [] : [{ AttributeName: range, KeyType: 'RANGE' }]),
];

/**
 * `sales` by `shop` and `id`: local `by-day` (KEYS_ONLY), global `by-buyer` with `paid` (ALL),
 * `by-city` (KEYS_ONLY) and `by-note` (INCLUDE note).
 */
export const SALES = {
  TableName: 'sales',
  BillingMode: 'PAY_PER_REQUEST',
  AttributeDefinitions: ['shop', 'id', 'day', 'buyer', 'city'].map((AttributeName) => ({
    AttributeName,
    AttributeType: 'S',
  })),
  KeySchema: key('shop', 'id'),
  LocalSecondaryIndexes: [
    {
      IndexName: 'by-day',
      KeySchema: key('shop', 'day'),
      Projection: { ProjectionType: 'KEYS_ONLY' },
    },
  ],
  GlobalSecondaryIndexes: [
    {
      IndexName: 'by-buyer',
      KeySchema: key('buyer', 'day'),
      Projection: { ProjectionType: 'ALL' },
    },
    { IndexName: 'by-city', KeySchema: key('city'), Projection: { ProjectionType: 'KEYS_ONLY' } },
    {
      IndexName: 'by-note',
      KeySchema: key('city', 'buyer'),
      Projection: { ProjectionType: 'INCLUDE', NonKeyAttributes: ['note'] },
    },
  ],
};

export const sale = (id: string, more: Readonly<Record<string, string>> = {}): Item =>
  Object.fromEntries(
    Object.entries({ shop: 's1', id, ...more }).map(([name, text]) => [name, { S: text }]),
  );

/** Queries an index for one value of its partition key. */
export function queryIndex(
  dynamo: AskDynamo,
  IndexName: string,
  [name, value]: readonly [string, string],
  more: object = {},
) {
  return dynamo.ask('Query', {
    TableName: 'sales',
    IndexName,
    KeyConditionExpression: `#key = :value`,
    ExpressionAttributeNames: { '#key': name },
    ExpressionAttributeValues: { ':value': { S: value } },
    ...more,
  });
}
