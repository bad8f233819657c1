import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test } from 'vitest';
import { createKinesisMapping } from '#local/lambda/mapping/create-kinesis-mapping';
import type { MappingEvent } from '#local/lambda/mapping/mapping-event';
import { parseMapping } from '#local/lambda/mapping/mapping-settings';
import { bench, realClock, settingsOf, until } from '#test/local/lambda/functions/asset';
import { STREAM_ARN } from '#test/local/lambda/mapping/mapping-bench';
import { memoryLog } from '#test/local/lambda/mapping/memory-log';

/** A shard, a mapping and a function in a real process. */
function openWorld(source: string, properties: Readonly<Record<string, unknown>> = {}) {
  const functionSettings = settingsOf(source);
  const { functions, lines, reports } = bench(functionSettings);
  const log = memoryLog(realClock.nowMs);
  log.addShard('s0');
  const objects = new Map<string, string>();
  const events: MappingEvent[] = [];
  const settings = parseMapping(
    {
      FunctionName: functionSettings.arn,
      EventSourceArn: STREAM_ARN,
      StartingPosition: 'TRIM_HORIZON',
      FunctionResponseTypes: ['ReportBatchItemFailures'],
      DestinationConfig: { OnFailure: { Destination: 'arn:aws:s3:::quarantine' } },
      ...properties,
    },
    realClock.nowMs(),
  );
  const mapping = createKinesisMapping(settings, {
    uuid: '6f1c9a52-0000-4000-8000-000000000007',
    queues: { send: () => {} },
    log,
    invoker: functions,
    objects: {
      put: (_, key, body) => void objects.set(key, Buffer.from(body).toString()),
      get: () => undefined,
      list: () => [],
      delete: () => {},
    },
    storage: new DatabaseSync(':memory:'),
    clock: realClock,
    chance: () => 0,
    region: 'eu-west-1',
    functionArn: functionSettings.arn,
    roleArn: 'arn:aws:iam::000000000000:role/consume',
    onEvent: (event) => events.push(event),
    pace: { firstMs: 1, longestMs: 2 },
  });
  onTestFinished(() => mapping.stop());
  mapping.start();
  return { log, mapping, lines, reports, objects, events };
}

const PRINTING = `
  const textOf = ({ kinesis }) => Buffer.from(kinesis.data, 'base64').toString();
  export const handler = async ({ Records }) => {
    for (const record of Records) {
      if (textOf(record) === 'bad') return { batchItemFailures: [{ itemIdentifier: record.kinesis.sequenceNumber }] };
      if (textOf(record) === 'deadly') process.exit(7);
      console.log(textOf(record));
    }
  };`;

test('records reach a function in its process, in order', async () => {
  const { log, mapping, lines } = openWorld(PRINTING, { BatchSize: 2 });
  log.write('s0', 'a', 'b', 'c');
  await until(() => lines.length === 3 && mapping.isIdle());
  expect(lines.map(({ line }) => line)).toEqual(['a', 'b', 'c']);
});

test('a record that its function names is given up alone, and the rest goes on', async () => {
  const { log, mapping, lines, objects } = openWorld(PRINTING, {
    BisectBatchOnFunctionError: true,
    MaximumRetryAttempts: 1,
  });
  log.write('s0', 'a', 'bad', 'c');
  await until(() => lines.length === 2 && mapping.isIdle());
  expect(lines.map(({ line }) => line)).toEqual(['a', 'c']);
  const [document] = [...objects.values()].map((text) => JSON.parse(text));
  expect(document.KinesisBatchInfo.batchSize).toBe(1);
  expect(document.responseContext.functionError).toBe(null);
});

test('a record that kills the process is cornered, with the request that last met it', async () => {
  const { log, mapping, lines, reports, objects, events } = openWorld(PRINTING, {
    BisectBatchOnFunctionError: true,
    MaximumRetryAttempts: 0,
  });
  log.write('s0', 'a', 'deadly');
  await until(() => objects.size === 1 && mapping.isIdle());
  expect(lines.map(({ line }) => line)).toEqual(['a', 'a']);
  expect(events.filter(({ kind }) => kind === 'gave-up')).toMatchObject([
    { records: 1, detail: 'Runtime.ExitError', condition: 'RetryAttemptsExhausted' },
  ]);
  const [document] = [...objects.values()].map((text) => JSON.parse(text));
  expect(document.requestContext.requestId).toBe(reports.at(-1)!.requestId);
  expect(document.responseContext.functionError).toBe('Unhandled');
});
