/** What reads the given-up documents, with its ports: everything that outlives an invocation. */
import { Logger } from '@aws-lambda-powertools/logger';
import { Metrics } from '@aws-lambda-powertools/metrics';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { clientOptions } from '#adapters/aws/client-options';
import type { ClientWay } from '#adapters/aws/client-options';
import { signedFetch } from '#adapters/aws/signed-fetch';
import { dynamoBreakerStore } from '#adapters/dynamodb/breaker-store';
import { consumerFunction } from '#adapters/kinesis/consumer-function';
import { objectBucket } from '#adapters/objects/bucket';
import { bucketGivenUpDocuments } from '#adapters/objects/given-up-documents';
import { bucketQuarantine } from '#adapters/objects/quarantine';
import { systemClock as clock } from '#adapters/system/clock';
import { powertoolsReport } from '#adapters/telemetry/powertools-report';
import type { PipelineSettings } from '#config/pipeline-settings';
import { consumerNames } from '#config/resource-names';
import type { Environment } from '#functions/required-variable';
import { recover } from '#pipeline/recover';
import { readRecoverEnvironment } from './environment.ts';

const STATE_TIMEOUT_MS = 2_000;
const STATE_ATTEMPTS_MAX = 3;

/** Few, so that a call ends long before its time: what is given up was slow, perhaps. */
const RECORDS_MAX = 100;

/**
 * @param callMs how long one call of a consumer may take.
 * @throws {Error} in one sentence when the environment lacks something.
 */
export function wireRecovery(
  settings: PipelineSettings,
  { env, callMs }: { readonly env: Environment; readonly callMs: number },
  { requestHandler }: ClientWay = {},
) {
  const { stage, stateTableName, quarantineBucketName, waitMs, functionName } =
    readRecoverEnvironment(env);
  const { name: pipeline, consumers } = settings;
  const functionOf = (consumer: string) => consumerNames(stage, pipeline, consumer).function;
  const consumerOf = (fn: string) => consumers.find(({ name }) => functionOf(name) === fn)?.name;
  const dynamodb = new DynamoDBClient({
    ...clientOptions({ requestTimeoutMs: STATE_TIMEOUT_MS, concurrency: 1, requestHandler }),
    maxAttempts: STATE_ATTEMPTS_MAX,
  });
  const s3 = signedFetch('s3', env);
  const lambda = signedFetch('lambda', env);
  const logger = new Logger({ serviceName: functionName });
  const metrics = new Metrics({ namespace: 'Penstock', serviceName: functionName });
  const ports = {
    documents: bucketGivenUpDocuments(objectBucket(s3, quarantineBucketName), consumerOf),
    callOf: (consumer: string) => consumerFunction(lambda, functionOf(consumer), callMs),
    quarantine: bucketQuarantine(s3, quarantineBucketName),
    marks: dynamoBreakerStore(dynamodb, { tableName: stateTableName }),
    report: powertoolsReport(logger, metrics),
    clock,
  };
  return {
    logger,
    recover: (signal: AbortSignal) =>
      recover({ pipeline, recordsMax: RECORDS_MAX, waitMs, signal }, ports),
  };
}
