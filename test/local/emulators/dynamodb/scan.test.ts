import { expect } from 'vitest';
import { ruleTest } from '#test/local/rules/rule-test';
import { askDynamo, invalid } from './ask-dynamo.ts';

const dynamo = askDynamo();
const scan = (more: object = {}) => dynamo.ask('Scan', { TableName: 'orders', ...more });
const KEYS = Array.from({ length: 50 }, (_, at) => `key-${String(at).padStart(2, '0')}`);
const fill = async () => {
  for (const pk of KEYS) await dynamo.put({ pk: { S: pk } });
};

/** Every key of a scan, page by page. */
async function all(more: object): Promise<readonly string[]> {
  const seen: string[] = [];
  let ExclusiveStartKey: unknown;
  do {
    const page = await scan({ ...more, ExclusiveStartKey });
    const items = page['Items'] as readonly { readonly pk: { readonly S: string } }[];
    seen.push(...items.map(({ pk }) => pk.S));
    ExclusiveStartKey = page['LastEvaluatedKey'];
  } while (ExclusiveStartKey !== undefined);
  return seen;
}

ruleTest('dynamodb', 'scan-order', async () => {
  await fill();
  const seen = await all({ Limit: 7 });
  expect(seen.toSorted()).toEqual(KEYS);
  expect(seen).not.toEqual(KEYS);
});

for (const TotalSegments of [1, 2, 3, 7, 1_000_000]) {
  ruleTest(
    'dynamodb',
    'scan-segments',
    async () => {
      await fill();
      const whole = await all({});
      const some =
        TotalSegments > 10 ? [0, 1, TotalSegments - 1] : [...Array(TotalSegments).keys()];
      const parts = [];
      for (const Segment of some) parts.push(await all({ Segment, TotalSegments, Limit: 4 }));
      if (TotalSegments <= 10) expect(parts.flat()).toEqual(whole);
      else expect(new Set(parts.flat()).size).toBe(parts.flat().length);
    },
    `${TotalSegments}`,
  );
}

for (const [more, words] of [
  [{ Segment: 1 }, 'The TotalSegments parameter is required but was not present in the request'],
  [{ TotalSegments: 2 }, 'The Segment parameter is required but was not present in the request'],
  [{ Segment: 2, TotalSegments: 2 }, 'Segment: 2 is not less than TotalSegments: 2'],
  [
    { Segment: 0, TotalSegments: 1_000_001 },
    "at 'totalSegments' failed to satisfy constraint: Member must have value less than or equal to 1000000",
  ],
] as const) {
  ruleTest(
    'dynamodb',
    'segment-words',
    () => expect(scan(more)).rejects.toMatchObject(invalid(words)),
    JSON.stringify(more),
  );
}

ruleTest('dynamodb', 'start-key-of-segment', async () => {
  await fill();
  const { LastEvaluatedKey } = await scan({ Segment: 0, TotalSegments: 2, Limit: 1 });
  const other = { Segment: 1, TotalSegments: 2, ExclusiveStartKey: LastEvaluatedKey };
  await expect(scan(other)).rejects.toMatchObject(
    invalid('Please use ExclusiveStartKey with correct Segment. TotalSegments: 2 Segment: 1'),
  );
});

ruleTest('dynamodb', 'page-bytes', async () => {
  for (let at = 0; at < 12; at++) {
    await dynamo.put({ pk: { S: `key-${at}` }, data: { S: 'x'.repeat(100_000) } });
  }
  const filter = {
    FilterExpression: 'pk = :none',
    ExpressionAttributeValues: { ':none': { S: 'none' } },
  };
  const page = await scan(filter);
  expect([page['Count'], page['ScannedCount']]).toEqual([0, 11]);
  const rest = await scan({ ExclusiveStartKey: page['LastEvaluatedKey'], Select: 'COUNT' });
  expect(rest).toEqual({ Count: 1, ScannedCount: 1 });
});

ruleTest('dynamodb', 'scan-filter', async () => {
  await fill();
  const { Items, Count, ScannedCount } = await scan({
    FilterExpression: 'begins_with(pk, :start)',
    ExpressionAttributeValues: { ':start': { S: 'key-1' } },
    ProjectionExpression: 'gone',
  });
  expect([Items, Count, ScannedCount]).toEqual([Array.from({ length: 10 }, () => ({})), 10, 50]);
});

ruleTest(
  'dynamodb',
  'page-limit',
  () =>
    expect(scan({ Limit: 0 })).rejects.toMatchObject(
      invalid(
        "Value '0' at 'limit' failed to satisfy constraint: Member must have value greater than or equal to 1",
      ),
    ),
  'which is at least one',
);
