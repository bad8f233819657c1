/** Kinesis batch in; the sequence number to resume from, if any, out. Wiring only. */
import { injectLambdaContext } from '@aws-lambda-powertools/logger/middleware';
// Its types know the default export only.
import middy from '@middy/core';
import type { Context } from 'aws-lambda';
import { fromKinesisEvent } from '#adapters/kinesis/from-event';
import type { ClientWay } from '#adapters/aws/client-options';
import type { ConsumeAnswer, ConsumeInput } from '#adapters/kinesis/consume-input';
import type { PipelineSettings } from '#config/pipeline-settings';
import { wireConsumer } from './wiring.ts';

/** Kept at the end, at most half of the time: three tries of a write, then of the checkpoint, and a refusal. */
const FINISH_MS = 18_000;

export function consumeHandler(settings: PipelineSettings, name: string, way: ClientWay = {}) {
  const { consume, logger } = wireConsumer(settings, name, process.env, way);

  return middy<ConsumeInput, ConsumeAnswer>()
    .use(injectLambdaContext(logger))
    .handler(async (event: ConsumeInput, context: Context) => {
      const remainingMs = context.getRemainingTimeInMillis();
      const startUntilMs = Date.now() + Math.max(remainingMs - FINISH_MS, remainingMs / 2);
      const { passage = 'stream' } = event;
      const { resumeAt, ends } = await consume(fromKinesisEvent(event), { passage, startUntilMs });
      const batchItemFailures = resumeAt === undefined ? [] : [{ itemIdentifier: resumeAt }];
      return passage === 'stream' ? { batchItemFailures } : { batchItemFailures, ends };
    });
}
