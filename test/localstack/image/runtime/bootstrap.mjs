// Starts AWS's Node.js runtime interface client (npm aws-lambda-ric) without its compiled addon.
// The addon only does three calls; the stand-in does them in JavaScript. Results go to a pipe because
// the client may exit right after reporting an error, so that call has to be synchronous.
import { registerHooks } from 'node:module';
import { writeSync } from 'node:fs';

const fd = Number(process.env.PENSTOCK_RESULT_FD);
delete process.env.PENSTOCK_RESULT_FD;
// Makes the client fetch the next event over plain HTTP itself.
process.env.AWS_LAMBDA_NODEJS_USE_ALTERNATIVE_CLIENT_1 = 'true';

const send = (kind, id, text) => {
  const body = Buffer.from(text);
  let rest = Buffer.concat([
    Buffer.from(`${kind} ${decodeURIComponent(id)} ${body.length}\n`),
    body,
  ]);
  while (rest.length > 0) rest = rest.subarray(writeSync(fd, rest));
};
globalThis[Symbol.for('penstock.rapid-client')] = {
  next: () => Promise.reject(new Error('the next event is fetched over HTTP')),
  done: (id, body) => send('response', id, body),
  error: (id, body) => send('error', id, body),
};

const hooks = registerHooks({
  resolve(specifier, context, nextResolve) {
    if (specifier !== './rapid-client.node') return nextResolve(specifier, context);
    return {
      url: new URL('./rapid-client.cjs', import.meta.url).href,
      format: 'commonjs',
      shortCircuit: true,
    };
  },
});
await import('aws-lambda-ric');
setImmediate(() => hooks.deregister());
