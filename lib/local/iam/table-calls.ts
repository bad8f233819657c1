/** What a request of DynamoDB needs to be allowed: each table, with the partition keys it is about. */
import type { JsonInput } from '#local/aws-json';
import { arn } from '#local/template/arns';
import type { Call } from './decide.ts';
import type { ResourceFacts } from './resource-facts.ts';

type Item = Readonly<Record<string, unknown>>;

/** @source IAM User Guide, "dynamodb:LeadingKeys": the values of the first key of each item asked for. */
export function tableCalls(
  operation: string,
  input: JsonInput,
  facts: ResourceFacts,
): readonly Call[] {
  const call = (name: string, table: unknown, items: readonly Item[] | undefined): Call => {
    const resource = String(table).startsWith('arn:')
      ? String(table)
      : arn('dynamodb', `table/${String(table)}`);
    const keys = items?.map((item) => leadingKey(item, resource, facts));
    const context = keys === undefined ? {} : { context: { 'dynamodb:leadingkeys': keys } };
    return { action: `dynamodb:${name}`, resource, ...context };
  };
  const { TableName, Key, Item, RequestItems, TransactItems } = input;
  if (RequestItems !== undefined) {
    const tables = Object.entries(RequestItems as Record<string, unknown>);
    return tables.map(([table, asked]) => call(operation, table, itemsOf(asked)));
  }
  if (TransactItems !== undefined) {
    return (TransactItems as readonly Item[]).flatMap((entry) =>
      Object.entries(entry).map(([kind, asked]) => {
        const one = asked as Item;
        const name = TRANSACT_ACTIONS[kind] ?? kind;
        return call(name, one['TableName'], [(one['Key'] ?? one['Item']) as Item]);
      }),
    );
  }
  if (TableName === undefined) return [{ action: `dynamodb:${operation}`, resource: '*' }];
  const one = (Key ?? Item) as Item | undefined;
  if (one !== undefined) return [call(operation, TableName, [one])];
  const asked = operation === 'Query' ? [queriedKey(input)] : undefined;
  const { IndexName } = input;
  const place =
    IndexName === undefined ? TableName : `${String(TableName)}/index/${String(IndexName)}`;
  return [call(operation, place, asked)];
}

const TRANSACT_ACTIONS: Readonly<Record<string, string>> = {
  Put: 'PutItem',
  Update: 'UpdateItem',
  Delete: 'DeleteItem',
  Get: 'GetItem',
  ConditionCheck: 'ConditionCheckItem',
};

/** Of BatchGetItem, keys; of BatchWriteItem, requests. */
function itemsOf(asked: unknown): readonly Item[] {
  if (!Array.isArray(asked)) return ((asked as Item)['Keys'] ?? []) as readonly Item[];
  return (asked as readonly Record<string, Item>[]).flatMap((request) =>
    Object.values(request).map((one) => (one['Item'] ?? one['Key']) as Item),
  );
}

/** A key that cannot be told is one that no policy names. */
function leadingKey(item: Item | undefined, tableArn: string, facts: ResourceFacts): string {
  const name = facts.partitionKeyOf(tableArn.split('/')[1] ?? '');
  const value = name === undefined ? undefined : item?.[name];
  const [text] = Object.values((value ?? {}) as Item);
  return typeof text === 'string' ? text : 'a key that cannot be told';
}

/** What a query says its key is, as an item. */
function queriedKey(input: JsonInput): Item {
  const names = (input['ExpressionAttributeNames'] ?? {}) as Item;
  const values = (input['ExpressionAttributeValues'] ?? {}) as Item;
  const equals = String(input['KeyConditionExpression']).matchAll(/([#\w]+)\s*=\s*(:\w+)/g);
  return Object.fromEntries(
    [...equals].map(([, name = '', value = '']) => [String(names[name] ?? name), values[value]]),
  );
}
