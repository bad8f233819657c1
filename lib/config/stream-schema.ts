/** Schema of a pipeline's `stream`. */
import * as z from 'zod';
import { wholeNumber } from './fields.ts';
import { strictObject } from './strict-object.ts';

const KIB = 1_024;
const MIB = 1_024 * KIB;

const load = z.union(
  [
    strictObject({
      recordsPerSecPeak: z.number().positive().describe('Records of the busiest second.'),
      recordBytesMean: z
        .number()
        .positive()
        .describe('Mean size of a record in the stream, with its envelope and partition key.'),
      headroom: z
        .number()
        .min(1)
        .max(100)
        .default(1.25)
        .describe('Capacity to keep above the load, as a factor.'),
    }),
    strictObject({
      onDemand: z.literal(true).describe('AWS adds and removes shards; none are counted here.'),
    }),
  ],
  { error: ({ input }) => (isBoth(input) ? BOTH : undefined) },
);

/** @source Kinesis API 2013-12-02: retention, and MaxRecordSizeInKiB 1,024 to 10,240. */
export const streamSchema = strictObject({
  load: load.describe('What the stream must carry: shards are counted from it.'),
  retentionHours: wholeNumber(24, 8_760)
    .default(168)
    .describe('How long records can be read again, in hours.'),
  recordBytesMax: wholeNumber(MIB, 10 * MIB)
    .multipleOf(KIB)
    .default(MIB)
    .describe('Largest record that the stream takes, with its partition key, in bytes.'),
  kmsKeyArn: z
    .string()
    .regex(/^arn:[a-z-]+:kms:[a-z0-9-]+:\d{12}:key\/[\w-]+$/, {
      error: "must be a KMS key's ARN (a key, not an alias)",
    })
    .optional()
    .describe('Key of yours that encrypts the stream; the AWS-managed key otherwise.'),
});

const BOTH = "is counted or on demand, not both: leave out 'onDemand' or everything else";

function isBoth(input: unknown): boolean {
  if (typeof input !== 'object' || input === null) return false;
  return 'onDemand' in input && Object.keys(input).length > 1;
}
