/** Schema of one of a pipeline's `consumers`. */
import * as z from 'zod';
import { name, wholeNumber } from './fields.ts';
import { strictObject } from './strict-object.ts';

/** @source Lambda API 2015-03-31, CreateEventSourceMapping and CreateFunction: the bounds. */
export const consumerSchema = z.discriminatedUnion('kind', [
  strictObject({
    kind: z.literal('table').describe('Keeps the newest version of each key in a DynamoDB table.'),
    name: name.describe('Names the table, the function and the checkpoints.'),
    batchSize: wholeNumber(1, 10_000).default(500).describe('Records of one invocation, at most.'),
    batchingWindowSec: wholeNumber(0, 300)
      .default(0)
      .describe('How long to wait for a batch to fill, in seconds.'),
    batchesPerShard: wholeNumber(1, 10)
      .default(1)
      .describe('Batches of one shard in flight at once. Above 1, checkpoints are by time.'),
    retryAttempts: wholeNumber(0, 10_000)
      .default(100)
      .describe('Retries of a failing batch before it is given up to quarantine.'),
    recordAgeMaxHours: wholeNumber(1, 168)
      .default(24)
      .describe('Age at which an unfinished record is given up to quarantine, in hours.'),
    concurrency: wholeNumber(1, 128)
      .default(8)
      .describe('Keys written side by side within one batch.'),
    tombstoneDays: wholeNumber(1, 3_650)
      .default(30)
      .describe("How long a deleted key's tombstone stands, in days."),
    breaker: strictObject({
      percent: wholeNumber(1, 100)
        .default(50)
        .describe(
          'Share of recent records, refused for one reason, from which the consumer stops setting them aside, in percent.',
        ),
      recordsMin: wholeNumber(1, 1_000_000)
        .default(50)
        .describe('Of fewer recent records no share is judged.'),
    })
      .prefault({})
      .describe('Keeps a bad deployment from emptying the stream into quarantine.'),
    memoryMb: wholeNumber(128, 10_240).default(512).describe('Memory of the function, in MB.'),
    timeoutSec: wholeNumber(1, 900)
      .default(60)
      .describe('How long one batch may take, in seconds.'),
  }),
]);
