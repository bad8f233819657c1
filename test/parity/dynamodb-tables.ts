/** The tables that parity's questions are put to, a new one for each. */
import type { DynamoAsker } from './dynamodb-client.ts';
import type { Json, ParityQuestion } from './parity.ts';

export type DynamoQuestion = ParityQuestion<DynamoAsker>;
export type Step = readonly [operation: string, input?: object];

const attribute = (name: string, AttributeType = 'S') => ({ AttributeName: name, AttributeType });
const keys = (hash: string, range?: string) => [
  { AttributeName: hash, KeyType: 'HASH' },
  ...(range === undefined ? [] : [{ AttributeName: range, KeyType: 'RANGE' }]),
];
const ALL = { ProjectionType: 'ALL' };
const KEYS_ONLY = { ProjectionType: 'KEYS_ONLY' };

const SHAPES = {
  plain: { AttributeDefinitions: [attribute('pk')], KeySchema: keys('pk') },
  sorted: {
    AttributeDefinitions: [attribute('pk'), attribute('at', 'N')],
    KeySchema: keys('pk', 'at'),
  },
  indexed: {
    AttributeDefinitions: [attribute('pk'), attribute('at', 'N'), attribute('x'), attribute('g')],
    KeySchema: keys('pk', 'at'),
    LocalSecondaryIndexes: [
      { IndexName: 'local', KeySchema: keys('pk', 'x'), Projection: KEYS_ONLY },
    ],
    GlobalSecondaryIndexes: [
      { IndexName: 'global', KeySchema: keys('g', 'x'), Projection: ALL },
      { IndexName: 'narrow', KeySchema: keys('g'), Projection: KEYS_ONLY },
    ],
  },
} as const;

/**
 * A question of some steps on a table of its own: the answer is those of all steps that answered
 * anything. `#TABLE` in a step is the table's name.
 */
export function onTable(
  shape: keyof typeof SHAPES,
  id: string,
  asks: string,
  steps: readonly Step[],
): DynamoQuestion {
  return {
    id,
    asks,
    async ask(client) {
      const TableName = `parity-${id}-${Math.floor(performance.now() * 1_000)}`;
      await client.call('CreateTable', {
        TableName,
        BillingMode: 'PAY_PER_REQUEST',
        ...SHAPES[shape],
      });
      await untilActive(client, TableName);
      const answers: Json[] = [];
      for (const [operation, input = {}] of steps) {
        const named = JSON.stringify({ TableName, ...input }).replaceAll('#TABLE', TableName);
        const whole = JSON.parse(named) as Record<string, unknown>;
        if ('RequestItems' in input || 'TransactItems' in input) delete whole['TableName'];
        const answer = await client.call(operation, whole);
        const text = JSON.stringify(answer).replaceAll(TableName, '#TABLE');
        if (text !== '{}') answers.push(JSON.parse(text) as Json);
      }
      return answers;
    },
  };
}

async function untilActive(client: DynamoAsker, TableName: string): Promise<void> {
  for (;;) {
    const answer = await client.call('DescribeTable', { TableName });
    if (JSON.stringify(answer).includes('"TableStatus":"ACTIVE"')) return;
  }
}

/** A question to the service alone. */
export function onService(
  id: string,
  asks: string,
  operation: string,
  input: object,
): DynamoQuestion {
  return { id, asks, ask: (client) => client.call(operation, input) };
}

export const put = (item: object): Step => ['PutItem', { Item: { pk: { S: 'a' }, ...item } }];
export const get: Step = ['GetItem', { Key: { pk: { S: 'a' } } }];
export const update = (UpdateExpression: string, values?: object, more: object = {}): Step => [
  'UpdateItem',
  {
    Key: { pk: { S: 'a' } },
    UpdateExpression,
    ...(values === undefined ? {} : { ExpressionAttributeValues: values }),
    ...more,
  },
];
export const n = (text: string | number) => ({ N: String(text) });
export const s = (text: string) => ({ S: text });
