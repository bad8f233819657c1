/** The one schema of a pipeline file: its types, checks, defaults and reference page. */
import * as z from 'zod';
import { consumerSchema } from './consumer-schema.ts';
import { cronFault } from './cron.ts';
import { formattedField, keyPath } from './feed-fields.ts';
import {
  dotPath,
  name,
  timestampFormat,
  timeZoneName,
  versionFormat,
  wholeNumber,
} from './fields.ts';
import type { MapRecord } from './pipeline-settings.ts';
import { sourceSchema } from './source-schema.ts';
import { streamSchema } from './stream-schema.ts';
import { strictObject } from './strict-object.ts';

/** @source Kinesis, limits: five reads a second of a shard, which all its readers share. */
const SHARED_READERS_MAX = 5;

const schedule = z.union([
  strictObject({
    everyMinutes: wholeNumber(1, 44_640).describe('Minutes between two polls.'),
  }),
  strictObject({
    cron: z
      .string()
      .refine((text) => cronFault(text) === undefined, {
        error: ({ input }) =>
          `must be EventBridge Scheduler's six fields such as '0 8 * * ? *': ${cronFault(String(input))}`,
      })
      .describe("EventBridge Scheduler's six fields: minute hour day month weekday year."),
    timeZone: timeZoneName.describe(
      'IANA time zone that the fields are read in, summer time included.',
    ),
  }),
]);

function fieldOf<Format extends z.ZodType<string, string>>(format: Format) {
  return z.union([
    ...formattedField(format, 'record'),
    strictObject({
      observed: z
        .literal(true)
        .describe('Records of a snapshot hold none: it goes by when they were seen.'),
    }),
  ]);
}

export const recordSchema = strictObject({
  key: keyPath.describe(
    "Where a record holds its key, or its two parts; last segments name the table's keys.",
  ),
  version: fieldOf(versionFormat).describe(
    'What rises with every change of a record; a dot path alone is a timestamp in ISO 8601.',
  ),
  eventTime: fieldOf(timestampFormat).describe(
    'When a change happened; a dot path alone is a timestamp in ISO 8601.',
  ),
  partitionBy: dotPath
    .optional()
    .describe('Where a record holds what decides its shard; the key unless given.'),
}).transform((rules) => ({ ...rules, partitionBy: rules.partitionBy ?? rules.key }));

export const pollSchema = strictObject({
  memoryMb: wholeNumber(128, 10_240).default(512).describe('Memory of the function, in MB.'),
  timeoutSec: wholeNumber(10, 900).default(300).describe('How long one poll may run, in seconds.'),
  behind: strictObject({
    ageMinutesMax: wholeNumber(1, 10_080)
      .optional()
      .describe(
        'How old the oldest record may be that a consumer has not done, in minutes; half of the shortest `consumers[].recordAgeMaxHours` unless given.',
      ),
    reaction: z
      .enum(['pause', 'go-on', 'ignore'])
      .default('pause')
      .describe(
        'Whether polls wait until it is half as old, go on and only say so, or do not look: to go on is for a source that soon forgets.',
      ),
  })
    .prefault({})
    .describe('What polls do while consumers are too far behind.'),
});

export const quarantineSchema = strictObject({
  keptDays: wholeNumber(1, 3_650)
    .default(21)
    .describe('How long a refused record can be fetched and redriven, in days.'),
});

const alarmsSchema = strictObject({
  iteratorAgeMinutes: wholeNumber(1, 10_080)
    .default(15)
    .describe('Age at which a record is too old when a consumer gets it, in minutes.'),
  staleIntervals: wholeNumber(1, 24)
    .default(3)
    .describe("Intervals without one successful poll after which the source's data is stale."),
});

export const pipelineSchema = strictObject({
  name: name.describe('Names every resource. A renamed pipeline is a new pipeline.'),
  source: sourceSchema.describe('The HTTP API that is polled.'),
  schedule: schedule.describe('When it is polled.'),
  poll: pollSchema.prefault({}).describe('The function that polls.'),
  record: recordSchema.describe('What of a record means what.'),
  stream: streamSchema.describe('The Kinesis stream.'),
  consumers: z
    .array(consumerSchema)
    .min(1, { error: 'must name at least one consumer' })
    .max(SHARED_READERS_MAX, {
      error: `must name at most ${SHARED_READERS_MAX} consumers: a shard serves five reads a second`,
    })
    .describe('Who reads the stream.'),
  quarantine: quarantineSchema.prefault({}).describe('Where refused records rest.'),
  alarms: alarmsSchema.prefault({}).describe('When a person is called.'),
  map: z
    .custom<MapRecord>((value) => typeof value === 'function', { error: 'must be a function' })
    .refine((map) => !isAsync(map), {
      error: 'must answer at once: it is async, and a promise is no record',
    })
    .optional()
    .describe('Reshapes a record before it is published; null leaves it out. Plain function.'),
});

function isAsync(map: MapRecord): boolean {
  return Object.prototype.toString.call(map) === '[object AsyncFunction]';
}
