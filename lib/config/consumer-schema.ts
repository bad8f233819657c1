/** Schema of one of a pipeline's `consumers`. */
import * as z from 'zod';
import { environmentName, name, secret, textOrSetting, wholeNumber } from './fields.ts';
import { strictObject } from './strict-object.ts';

/** @source Lambda API 2015-03-31, CreateEventSourceMapping and CreateFunction: the bounds. */
const common = {
  name: name.describe('Names the function, the checkpoints and the table, if it keeps one.'),
  batchSize: wholeNumber(1, 10_000).default(500).describe('Records of one invocation, at most.'),
  batchingWindowSec: wholeNumber(0, 300)
    .default(0)
    .describe('How long to wait for a batch to fill, in seconds.'),
  batchesPerShard: wholeNumber(1, 10)
    .default(1)
    .describe('Batches of one shard in flight at once. Above 1, checkpoints are by time.'),
  retryAttempts: wholeNumber(0, 10_000)
    .optional()
    .describe(
      'Retries of a failing batch before it is given up to quarantine; as many as its age allows unless given.',
    ),
  recordAgeMaxHours: wholeNumber(1, 168)
    .default(24)
    .describe('Age at which an unfinished record is given up to quarantine, in hours.'),
  concurrency: wholeNumber(1, 128)
    .default(8)
    .describe('Keys worked on side by side within one batch.'),
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
  timeoutSec: wholeNumber(1, 900).default(60).describe('How long one batch may take, in seconds.'),
};

const NAME_OR_FALSE = 'must be a name, or false';

const table = strictObject({
  kind: z.literal('table').describe('Keeps the newest version of each key in a DynamoDB table.'),
  ...common,
  mode: z
    .enum(['replace', 'merge'])
    .default('replace')
    .describe(
      'Whether an item is its record and nothing else, or may hold attributes that others write.',
    ),
  attributes: z
    .record(
      z.string(),
      z.union([z.string().min(1, { error: NAME_OR_FALSE }), z.literal(false)], {
        error: NAME_OR_FALSE,
      }),
    )
    .default({})
    .describe("By a member's name: its name in the table, or false to leave it out."),
  tombstoneDays: wholeNumber(1, 3_650)
    .default(30)
    .describe("How long a deleted key's tombstone stands, in days."),
});

const handler = strictObject({
  kind: z.literal('handler').describe('Calls a function of yours.'),
  ...common,
  file: z
    .string()
    .regex(/^\.{1,2}\/.+\.ts$/, {
      error: "must be a path from this file such as './handlers/shipping.ts'",
    })
    .describe('File whose default export is the function, from the pipeline file.'),
  per: z
    .enum(['record', 'key'])
    .describe("Called with one record, or with a key's records of a batch in order."),
  environment: z
    .record(environmentName, textOrSetting(z.string()))
    .default({})
    .describe('What the function finds in its environment: each a text, or a setting.'),
  secrets: z
    .array(secret)
    .default([])
    .describe('Secrets that the function may read, without their stage prefix.'),
});

export const consumerSchema = z.discriminatedUnion('kind', [table, handler]);
