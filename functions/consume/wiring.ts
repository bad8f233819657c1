/** A consumer with its ports: everything that outlives an invocation. */
import { Logger } from '@aws-lambda-powertools/logger';
import { Metrics } from '@aws-lambda-powertools/metrics';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { clientOptions } from '#adapters/aws/client-options';
import type { ClientWay } from '#adapters/aws/client-options';
import { signedFetch } from '#adapters/aws/signed-fetch';
import { dynamoBreakerStore } from '#adapters/dynamodb/breaker-store';
import { dynamoCheckpointStore } from '#adapters/dynamodb/checkpoint-store';
import { bucketQuarantine } from '#adapters/objects/quarantine';
import { systemClock as clock } from '#adapters/system/clock';
import { strictText } from '#adapters/system/strict-text';
import { powertoolsReport } from '#adapters/telemetry/powertools-report';
import type { ConsumerSettings, PipelineSettings } from '#config/pipeline-settings';
import type { Environment } from '#functions/required-variable';
import { batchConsumer } from '#pipeline/consume';
import type { Report } from '#ports/report';
import type { Sink } from '#ports/sink';
import type { Consumer } from './batch-handler.ts';
import { readConsumeEnvironment } from './environment.ts';

const REQUEST_TIMEOUT_MS = 2_000;

/** Sending a conditional write again is harmless, so the SDK may; see FINISH_MS in the handlers. */
const ATTEMPTS_MAX = 3;

export interface ConsumerAsk {
  readonly settings: PipelineSettings;
  readonly consumer: ConsumerSettings;
  readonly env: Environment;
  /** By which the clients speak; default: over the network. */
  readonly way: ClientWay;
}

/**
 * @param openSink is lent the client that the consumer's own state is kept with, and the report.
 * @throws {Error} in one sentence when the environment lacks something.
 */
export function wireConsumer(
  { settings, consumer, env, way: { requestHandler } }: ConsumerAsk,
  openSink: (client: DynamoDBClient, report: Report) => Sink,
): Consumer {
  const { stateTableName, quarantineBucketName, code, functionName } = readConsumeEnvironment(env);
  const { batchesPerShard, concurrency, breaker } = consumer;

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
  const report = powertoolsReport(logger, metrics);

  const consume = batchConsumer(
    {
      pipeline: settings.name,
      consumer: consumer.name,
      concurrency,
      batchesPerShard,
      breaker,
      code,
    },
    {
      sink: openSink(client, report),
      quarantine: bucketQuarantine(signedFetch('s3', env), quarantineBucketName),
      checkpoints: dynamoCheckpointStore(client, { tableName: stateTableName }),
      marks: dynamoBreakerStore(client, { tableName: stateTableName }),
      report,
      clock,
      decodeText: strictText,
    },
  );
  return { consume, logger };
}
