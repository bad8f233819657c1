/** A cloud for the tests of one file. */
import { afterAll, afterEach, beforeAll } from 'vitest';
import { startCloud } from '#local/cloud';
import type { Cloud } from '#local/cloud';
import type { CloudEvent } from '#local/cloud-event';
import type { CloudOptions } from '#local/cloud-options';

/** Synthesizing an app bundles its functions. */
const START_MS_MAX = 120_000;

/** Of what functions said, the last that are shown of a test that failed. */
const LINES_MAX = 40;

/**
 * Start a cloud before the tests of the file, or of the `describe` around, and stop it after them.
 *
 * @param options what it is started with, or what makes that.
 * @returns the cloud, for tests to ask.
 * @example const cloud = cloudFor(() => ({ cdkOut: 'cdk.out' }));
 */
export function cloudFor(
  options: CloudOptions | (() => CloudOptions | Promise<CloudOptions>),
): () => Cloud {
  let running: Cloud | undefined;
  let lines: string[] = [];
  beforeAll(async () => {
    const given = typeof options === 'function' ? await options() : options;
    running = await startCloud({
      ...given,
      onEvent(event) {
        lines = [...lines, ...wordsOf(event)].slice(-LINES_MAX);
        given.onEvent?.(event);
      },
    });
  }, START_MS_MAX);
  // What the functions said explains a failure better than the table that stayed empty.
  afterEach(({ task }) => {
    if (task.result?.state === 'fail' && lines.length > 0) console.error(lines.join('\n'));
    lines = [];
  });
  afterAll(async () => {
    await running?.stop();
    running = undefined;
  });
  return () => {
    if (running === undefined)
      throw new Error('The cloud runs while a test does: ask for it there.');
    return running;
  };
}

function wordsOf(event: CloudEvent): readonly string[] {
  switch (event.kind) {
    case 'log':
      return [`${event.functionName}: ${event.line}`];
    case 'invocation':
      return event.outcome === 'ok' ? [] : [`${event.functionName}: failed: ${event.errorType}`];
    case 'call-refused':
      return [`${event.caller}: ${event.message}`];
    default:
      return [];
  }
}
