/** Kinesis batch in; the sequence number to resume from, if any, out. */
import type { Logger } from '@aws-lambda-powertools/logger';
import { injectLambdaContext } from '@aws-lambda-powertools/logger/middleware';
// Its types know the default export only.
import middy from '@middy/core';
import type { Context } from 'aws-lambda';
import { fromKinesisEvent } from '#adapters/kinesis/from-event';
import type { ConsumeAnswer, ConsumeInput } from '#adapters/kinesis/consume-input';
import type { ConsumeBatch } from '#pipeline/consume';

export interface Consumer {
  readonly consume: ConsumeBatch;
  readonly logger: Logger;
}

/** @param finishMs kept at the end to finish what was begun; at most half of the time. */
export function batchHandler({ consume, logger }: Consumer, finishMs: number) {
  return middy<ConsumeInput, ConsumeAnswer>()
    .use(injectLambdaContext(logger))
    .handler(async (event: ConsumeInput, context: Context) => {
      const remainingMs = context.getRemainingTimeInMillis();
      const startUntilMs = Date.now() + Math.max(remainingMs - finishMs, remainingMs / 2);
      const { passage = 'stream' } = event;
      const { resumeAt, ends } = await consume(fromKinesisEvent(event), { passage, startUntilMs });
      const batchItemFailures = resumeAt === undefined ? [] : [{ itemIdentifier: resumeAt }];
      return passage === 'stream' ? { batchItemFailures } : { batchItemFailures, ends };
    });
}
