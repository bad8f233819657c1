/** Runs a poll function once, now: a source that is parked for its failures is asked all the same. */
import type { SignedFetch } from '#adapters/aws/signed-fetch';

/** @source AWS Lambda: a function runs 900 seconds at most. */
const TIMEOUT_MS = 910_000;

export interface PollAnswer {
  /** Of HTTP: 404 where there is no such function, 429 while it runs and may not run twice. */
  readonly status: number;
  /** What the function answered; JSON when the status is 200. */
  readonly text: string;
  /** The function ended by an error of its own. */
  readonly crashed: boolean;
}

export async function invokePoll(lambda: SignedFetch, functionName: string): Promise<PollAnswer> {
  const response = await lambda({
    method: 'POST',
    path: `/2015-03-31/functions/${functionName}/invocations`,
    headers: { 'content-type': 'application/json' },
    body: '{"byHand":true}',
    timeoutMs: TIMEOUT_MS,
  });
  const crashed = response.headers.has('x-amz-function-error');
  return { status: response.status, text: await response.text(), crashed };
}
