/** Polling again and again, against a Lambda that answers when it is told to. */
import { expect, test, vi } from 'vitest';
import type { SignedCall } from '#adapters/aws/signed-fetch';
import { pollOnAndOn } from '#cli/cloud/poll-on-and-on';
import { PATIENTLY } from '#test/clouds/patience';

/** Runs that are under way, by the path of their function; each ends as a test says. */
function handLambda() {
  const running: { path: string; end(): void; fail(): void }[] = [];
  const started: string[] = [];
  const lambda = ({ path }: SignedCall) =>
    new Promise<Response>((resolve, reject) => {
      started.push(path);
      const leave = () => running.splice(running.indexOf(run), 1);
      const run = {
        path,
        end: () => (leave(), resolve(new Response('{}'))),
        fail: () => (leave(), reject(new Error('refused'))),
      };
      running.push(run);
    });
  return { lambda, running, started };
}

test('a function runs again once its run has ended, and not before', async () => {
  const { lambda, running, started } = handLambda();
  const stop = pollOnAndOn(lambda, ['a', 'b']);
  expect(started).toHaveLength(2);
  running.find(({ path }) => path.includes('/a/'))?.end();
  await vi.waitFor(() => expect(started).toHaveLength(3), PATIENTLY);
  expect(started[2]).toBe(started[0]);
  const stopped = stop();
  for (const run of running.slice()) run.end();
  await stopped;
});

test('a run that fails is followed by another', async () => {
  const { lambda, running, started } = handLambda();
  const stop = pollOnAndOn(lambda, ['a']);
  running[0]?.fail();
  await vi.waitFor(() => expect(started).toHaveLength(2), PATIENTLY);
  const stopped = stop();
  running[0]?.end();
  await stopped;
});

test('the end waits for the run that is under way, and none follows', async () => {
  const { lambda, running, started } = handLambda();
  const stop = pollOnAndOn(lambda, ['a']);
  let ended = false;
  const stopped = stop().then(() => (ended = true));
  await new Promise(setImmediate);
  expect(ended).toBe(false);
  running[0]?.end();
  await stopped;
  expect({ started: started.length, running: running.length }).toEqual({ started: 1, running: 0 });
});
