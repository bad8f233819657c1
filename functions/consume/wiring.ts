/** A consumer with its ports: everything that outlives an invocation. */
import { Logger } from '@aws-lambda-powertools/logger';
import { Metrics } from '@aws-lambda-powertools/metrics';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { clientOptions } from '#adapters/aws/client-options';
import type { ClientWay } from '#adapters/aws/client-options';
import { signedFetch } from '#adapters/aws/signed-fetch';
import { dynamoBreakerStore } from '#adapters/dynamodb/breaker-store';
import { dynamoCheckpointStore } from '#adapters/dynamodb/checkpoint-store';
import { dynamoRecordTable } from '#adapters/dynamodb/record-table';
import { bucketQuarantine } from '#adapters/objects/quarantine';
import { systemClock as clock } from '#adapters/system/clock';
import { powertoolsReport } from '#adapters/telemetry/powertools-report';
import type { PipelineSettings } from '#config/pipeline-settings';
import { assert } from '#core/assert';
import { parsePath } from '#core/record/path';
import { batchConsumer } from '#pipeline/consume';
import { tableSink } from '#pipeline/table-sink';
import { readConsumeEnvironment } from './environment.ts';

type Environment = Readonly<Record<string, string | undefined>>;

const REQUEST_TIMEOUT_MS = 2_000;

/** Sending a conditional write again is harmless, so the SDK may; see FINISH_MS in the handler. */
const ATTEMPTS_MAX = 3;

/**
 * @param requestHandler by which the clients speak; default: over the network.
 * @throws {Error} in one sentence when the environment lacks something.
 */
export function wireConsumer(
  settings: PipelineSettings,
  consumerName: string,
  env: Environment,
  { requestHandler }: ClientWay = {},
) {
  const consumer = settings.consumers.find(({ name }) => name === consumerName);
  const keyName = parsePath(settings.record.key).at(-1);
  assert(consumer !== undefined, 'the bundle names a consumer of its pipeline');
  assert(keyName !== undefined, 'a key has a name');
  const { tableName, stateTableName, quarantineBucketName, code, functionName } =
    readConsumeEnvironment(env);
  const { batchesPerShard, concurrency, breaker, tombstoneDays } = consumer;

  const client = new DynamoDBClient({
    // Two in flight beside the keys: a checkpoint and one to spare.
    ...clientOptions({
      requestTimeoutMs: REQUEST_TIMEOUT_MS,
      concurrency: concurrency + 2,
      requestHandler,
    }),
    maxAttempts: ATTEMPTS_MAX,
  });
  const logger = new Logger({ serviceName: functionName });
  const metrics = new Metrics({ namespace: 'Penstock', serviceName: functionName });
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

  const consume = batchConsumer(
    {
      pipeline: settings.name,
      consumer: consumerName,
      concurrency,
      batchesPerShard,
      breaker,
      code,
    },
    {
      sink: tableSink(
        dynamoRecordTable(client, { tableName, keyName, tombstoneDays, clock }),
        clock,
      ),
      quarantine: bucketQuarantine(signedFetch('s3', env), quarantineBucketName),
      checkpoints: dynamoCheckpointStore(client, { tableName: stateTableName }),
      marks: dynamoBreakerStore(client, { tableName: stateTableName }),
      report: powertoolsReport(logger, metrics),
      clock,
      decodeText: (bytes) => decoder.decode(bytes),
    },
  );
  return { consume, logger };
}
