/** A cloud of one function, for tests that kill it: prints what its function prints. */
import { createFunctions } from '#local/lambda/functions/create-functions';

const [, , assetDir = ''] = process.argv;
const functions = createFunctions({
  region: 'eu-west-1',
  aws: () => ({}),
  clock: {
    nowMs: () => Date.now(),
    setTimer(delayMs, fire) {
      const timer = setTimeout(fire, delayMs);
      return () => clearTimeout(timer);
    },
  },
  onLog: ({ line, isPlatform }) => isPlatform ?? console.log(line),
});
functions.add({
  name: 'one',
  arn: 'arn:aws:lambda:eu-west-1:000000000000:function:one',
  assetDir,
  handler: 'index.handler',
  environment: {},
  memoryMb: 128,
  timeoutSec: 900,
});
await functions.invoke('one', '{}');
