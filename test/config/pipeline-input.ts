/** A valid pipeline file, to be changed by a test. All of its numbers differ. */
import { parsePipeline } from '#config/parse-pipeline';
import type { PipelineInput } from '#config/pipeline-input';
import type { PipelineSettings } from '#config/pipeline-settings';

export function ticketsInput(over: Partial<PipelineInput> = {}): PipelineInput {
  return {
    name: 'tickets',
    source: {
      url: { env: 'TICKETS_API_URL' },
      auth: { kind: 'bearer', secret: 'tickets-token' },
      records: 'result.items',
      pagination: { kind: 'cursor', param: 'after', next: 'paging.next' },
      incremental: { param: 'since', field: 'changed_at', horizonSec: 45 },
      pageSize: { param: 'size', value: 250 },
      query: { sort: 'changed_at', team: { env: 'TICKETS_TEAM', default: 'all' } },
      deleted: { field: 'removed_at' },
      timeoutSec: 17,
    },
    schedule: { everyMinutes: 3 },
    poll: { memoryMb: 640, timeoutSec: 170 },
    record: {
      key: 'meta.ticket_id',
      version: { field: 'revision', format: 'integer' },
      eventTime: 'changed_at',
    },
    stream: {
      load: { recordsPerSecPeak: 2_400, recordBytesMean: 900, headroom: 1.5 },
      retentionHours: 96,
    },
    consumers: [
      {
        kind: 'table',
        name: 'board',
        batchSize: 210,
        batchingWindowSec: 4,
        batchesPerShard: 2,
        retryAttempts: 33,
        recordAgeMaxHours: 13,
        concurrency: 6,
        tombstoneDays: 40,
        memoryMb: 768,
        timeoutSec: 55,
      },
    ],
    quarantine: { keptDays: 19 },
    alarms: { iteratorAgeMinutes: 11, staleIntervals: 7 },
    ...over,
  };
}

/** A handler consumer, to stand beside the table. All of its numbers differ, too. */
export function handlerInput(over: Partial<HandlerInput> = {}): HandlerInput {
  return {
    kind: 'handler',
    name: 'mail',
    file: './mail.ts',
    per: 'record',
    environment: { MAIL_URL: { env: 'TICKETS_MAIL_URL' }, MODE: 'plain' },
    secrets: ['mail-token', 'tickets-token'],
    batchSize: 120,
    concurrency: 3,
    timeoutSec: 48,
    ...over,
  };
}

type HandlerInput = Extract<PipelineInput['consumers'][number], { readonly kind: 'handler' }>;

/** @throws {Error} with the faults, when there are any. */
export function settingsOf(input: unknown): PipelineSettings {
  const parsed = parsePipeline(input);
  if (parsed.kind === 'faulty') throw new Error(parsed.faults.join('\n'));
  return parsed.settings;
}

export function faultsOf(input: unknown): readonly string[] {
  const parsed = parsePipeline(input);
  return parsed.kind === 'faulty' ? parsed.faults : [];
}
