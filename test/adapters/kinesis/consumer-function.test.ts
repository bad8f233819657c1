/** A consumer's function, called over the wire as it answers. */
import { expect, test } from 'vitest';
import type { ConsumeInput } from '#adapters/kinesis/consume-input';
import { consumerFunction } from '#adapters/kinesis/consumer-function';
import { fromKinesisEvent } from '#adapters/kinesis/from-event';
import { signedFetch } from '#adapters/aws/signed-fetch';
import { cloudAnswering } from '#test/cli/cloud-answering';
import { recordOf } from '#test/pipeline/consume-world';

const RECORDS = [recordOf(7, '{"a":'), recordOf(8, 'é\u0000')];

async function sendTo(status: number, body: string, asked: string[] = []) {
  const lambda = signedFetch('lambda', {
    AWS_ENDPOINT_URL: await cloudAnswering(status, body, asked),
    AWS_REGION: 'eu-west-1',
    AWS_ACCESS_KEY_ID: 'id',
    AWS_SECRET_ACCESS_KEY: 'key',
  });
  return consumerFunction(lambda, 'penstock-dev-orders-consume-orders')(RECORDS, 'redrive');
}

test('the function is handed the records as its mapping would, and how each ended comes back', async () => {
  const asked: string[] = [];
  const ends = await sendTo(200, '{"batchItemFailures":[],"ends":["refused","written"]}', asked);
  expect(ends).toEqual(['refused', 'written']);
  const input = JSON.parse(asked.join('')) as ConsumeInput;
  expect(input.passage).toBe('redrive');
  expect(fromKinesisEvent(input)).toEqual(RECORDS);
});

test.each([
  [404, '{}', 'The function penstock-dev-orders-consume-orders is missing: is it deployed'],
  [403, '{"message":"not you"}', 'was not run (403): {"message":"not you"}'],
  [200, '{"batchItemFailures":[]}', 'did not say how each record ended'],
  [200, '{"batchItemFailures":[],"ends":["written"]}', 'did not say how each record ended'],
  [200, '{"batchItemFailures":[],"ends":["written","gone"]}', 'did not say how each record ended'],
])('an answer of %s with %s ends it in one sentence', async (status, body, sentence) => {
  await expect(sendTo(status, body)).rejects.toMatchObject({
    message: expect.stringContaining(sentence),
    retryable: false,
  });
});

test.each([429, 500, 502])('an answer of %s may be another the next time', async (status) => {
  await expect(sendTo(status, '{}')).rejects.toMatchObject({ retryable: true });
});
