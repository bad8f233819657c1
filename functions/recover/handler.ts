/** A schedule's tick in; what event source mappings gave up on is tried once more. Wiring only. */
import { injectLambdaContext } from '@aws-lambda-powertools/logger/middleware';
import middy from '@middy/core';
import type { Context } from 'aws-lambda';
import type { ClientWay } from '#adapters/aws/client-options';
import type { PipelineSettings } from '#config/pipeline-settings';
import { wireRecovery } from './wiring.ts';

const CALL_MS = 110_000;
/** A call, and what was learned by it put into quarantine. */
const FINISH_MS = CALL_MS + 20_000;

export function recoverHandler(settings: PipelineSettings, way: ClientWay = {}) {
  const { recover, logger } = wireRecovery(settings, { env: process.env, callMs: CALL_MS }, way);

  return middy<unknown, void>()
    .use(injectLambdaContext(logger))
    .handler(async (_event: unknown, context: Context) => {
      const time = new AbortController();
      const leftMs = context.getRemainingTimeInMillis() - FINISH_MS;
      const timer = setTimeout(() => time.abort(), leftMs);
      await recover(time.signal).finally(() => clearTimeout(timer));
    });
}
