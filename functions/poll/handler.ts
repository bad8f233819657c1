/** A schedule's tick in; how far the source was read out. Wiring only. */
import { injectLambdaContext } from '@aws-lambda-powertools/logger/middleware';
import middy from '@middy/core';
import type { Context } from 'aws-lambda';
import type { ClientWay } from '#adapters/aws/client-options';
import type { MapRecord, PipelineSettings } from '#config/pipeline-settings';
import type { PollResult } from '#pipeline/poll';
import { wirePoller } from './wiring.ts';

/**
 * Make the handler of one pipeline's poll function. A poll that failed is an outcome, logged and
 * counted: the next tick is its retry, so it is not thrown for Lambda to run again at once.
 */
export function pollHandler(settings: PipelineSettings, map?: MapRecord, way: ClientWay = {}) {
  const { poll, logger } = wirePoller(settings, map, process.env, way);

  return middy<unknown, PollResult>()
    .use(injectLambdaContext(logger))
    .handler((event: unknown, context: Context) =>
      poll({
        remainingMs: () => context.getRemainingTimeInMillis(),
        isByHand: isByHand(event),
      }),
    );
}

/** `{ "byHand": true }` is what `penstock poll` sends; a tick of the schedule says nothing of it. */
function isByHand(event: unknown): boolean {
  return typeof event === 'object' && event !== null && 'byHand' in event && event.byHand === true;
}
