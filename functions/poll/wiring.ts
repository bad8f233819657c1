/** A poller with its ports: everything that outlives an invocation. */
import { Logger } from '@aws-lambda-powertools/logger';
import { Metrics } from '@aws-lambda-powertools/metrics';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { KinesisClient } from '@aws-sdk/client-kinesis';
import { clientOptions } from '#adapters/aws/client-options';
import type { ClientWay } from '#adapters/aws/client-options';
import { signedFetch } from '#adapters/aws/signed-fetch';
import { dynamoCheckpointReader } from '#adapters/dynamodb/checkpoint-reader';
import { dynamoFeedStates } from '#adapters/dynamodb/feed-states';
import { dynamoPollStateStore } from '#adapters/dynamodb/poll-state-store';
import { dynamoRateBudget } from '#adapters/dynamodb/rate-budget';
import { dynamoTurns } from '#adapters/dynamodb/turns';
import { refreshWatch } from '#adapters/http/auth/refresh-watch';
import { kinesisStreamShards } from '#adapters/kinesis/stream-shards';
import { kinesisStreamWriter } from '#adapters/kinesis/stream-writer';
import { bucketLedgers } from '#adapters/objects/ledgers';
import { bucketQuarantine } from '#adapters/objects/quarantine';
import { secretReader } from '#adapters/secrets/secret-reader';
import type { SecretForm } from '#adapters/secrets/secret-reader';
import { versionedSecret } from '#adapters/secrets/versioned-secret';
import { systemChance } from '#adapters/system/chance';
import { systemClock as clock } from '#adapters/system/clock';
import { md5HashKey } from '#adapters/system/hash-key';
import { contentDigest } from '#adapters/system/content-digest';
import { powertoolsReport } from '#adapters/telemetry/powertools-report';
import type { MapRecord, PipelineSettings } from '#config/pipeline-settings';
import { assert } from '#core/assert';
import type { Environment } from '#functions/required-variable';
import { shardPacer } from '#pipeline/pacer';
import { poll } from '#pipeline/poll';
import type { PollWorld } from '#pipeline/poll-options';
import { rateGate } from '#pipeline/rate-gate';
import { readPollEnvironment } from './environment.ts';
import { openPageSources } from './open-page-source.ts';
import { PUT_TIMEOUT_MS, REQUESTS_IN_FLIGHT, toPollOptions, toRateRule } from './poll-options.ts';

const STATE_TIMEOUT_MS = 2_000;

/** Writes of the state are fenced by its epoch: sending one again is harmless, so the SDK may. */
const STATE_ATTEMPTS_MAX = 3;

/**
 * @param requestHandler by which the clients speak; default: over the network.
 * @throws {Error} in one sentence when the environment lacks something.
 */
export function wirePoller(
  settings: PipelineSettings,
  map: MapRecord | undefined,
  env: Environment,
  { requestHandler }: ClientWay = {},
) {
  const names = readPollEnvironment(env);
  const secretOf = () => {
    const { secretName } = names;
    assert(secretName !== undefined, 'a source that is shown a secret has one');
    return { secretName, send: signedFetch('secretsmanager', env) };
  };
  const openSecret = (form: SecretForm) => {
    const { send, secretName } = secretOf();
    return secretReader(send, secretName, form);
  };

  const kinesis = new KinesisClient(
    clientOptions({
      requestTimeoutMs: PUT_TIMEOUT_MS,
      concurrency: REQUESTS_IN_FLIGHT + 1,
      requestHandler,
    }),
  );
  const dynamodb = new DynamoDBClient({
    ...clientOptions({ requestTimeoutMs: STATE_TIMEOUT_MS, concurrency: 2, requestHandler }),
    maxAttempts: STATE_ATTEMPTS_MAX,
  });
  const logger = new Logger({ serviceName: names.functionName });
  const metrics = new Metrics({ namespace: 'Penstock', serviceName: names.functionName });
  const options = toPollOptions(settings, map, env);
  const report = powertoolsReport(logger, metrics);
  const refreshing = refreshWatch();
  const openGrant = () => {
    const { send, secretName } = secretOf();
    return {
      secret: versionedSecret(send, secretName),
      secretName,
      turns: dynamoTurns(dynamodb, { tableName: names.stateTableName }),
      clock,
      newId: () => crypto.randomUUID(),
      ...refreshing.ofGrant,
    };
  };
  const shards = kinesisStreamShards(kinesis, names.streamName);
  const rule = toRateRule(settings);
  const { stateTableName: tableName } = names;
  const budget = dynamoRateBudget(dynamodb, { tableName });
  const sources = openPageSources(settings.source, { env, clock, openSecret, openGrant });
  const world = {
    source: sources.source,
    deletes: sources.deletes && {
      source: sources.deletes,
      states: dynamoFeedStates(dynamodb, { tableName, feed: 'deletes', clock }),
    },
    ...(rule && { gate: rateGate(rule, { budget, clock, report }) }),
    writer: kinesisStreamWriter(kinesis, names.streamName),
    states: dynamoPollStateStore(dynamodb, { tableName, clock }),
    checkpoints: dynamoCheckpointReader(dynamodb, { tableName }),
    quarantine: bucketQuarantine(signedFetch('s3', env), names.quarantineBucketName),
    ledgers:
      names.ledgerBucketName === undefined
        ? undefined
        : bucketLedgers(signedFetch('s3', env), names.ledgerBucketName),
    clock,
    chance: systemChance,
    digest: contentDigest,
    report,
    pacer: shardPacer(options, { shards, hashKey: md5HashKey, clock, report }),
  };
  return {
    logger,
    poll: (run: Pick<PollWorld, 'remainingMs' | 'isByHand'>) =>
      refreshing.until(run.remainingMs, () => poll(options, { ...world, ...run })),
  };
}
