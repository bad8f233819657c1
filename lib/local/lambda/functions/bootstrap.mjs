/** The runtime inside one environment: imports the handler, then asks for work until its cloud is gone. */
import { existsSync } from 'node:fs';
import http from 'node:http';
import { flushCompileCache } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';

// Descriptor 3 closes when the cloud dies, however it dies. A thread watches it, because a handler
// that never yields would leave the main loop deaf; signal to 0 ends our whole process group.
const WATCHDOG = `
  const watched = new (require('node:net').Socket)({ fd: 3 });
  watched.on('close', () => process.kill(0, 'SIGKILL')).on('error', () => {}).resume();`;
new Worker(WATCHDOG, { eval: true, env: {}, execArgv: [] }).unref();

const env = process.env;
const [host, port] = env.AWS_LAMBDA_RUNTIME_API.split(':');
const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });

function call(method, place, body, headers = {}) {
  return new Promise((resolve, reject) => {
    const options = { host, port, agent, method, headers, path: `/2018-06-01/runtime/${place}` };
    if (body !== undefined) headers['Content-Length'] = Buffer.byteLength(body);
    const request = http.request(options, (response) => {
      const chunks = [];
      response.on('data', (chunk) => chunks.push(chunk)).on('error', reject);
      response.on('end', () =>
        resolve({ headers: response.headers, text: Buffer.concat(chunks).toString('utf8') }),
      );
    });
    request.on('error', reject).end(body);
  });
}

function postError(place, error, errorType = error?.name ?? typeof error) {
  const errorMessage = error?.message ?? String(error);
  const trace = error?.stack?.split('\n') ?? [];
  const body = JSON.stringify({ errorType, errorMessage, trace });
  return call('POST', place, body, { 'Lambda-Runtime-Function-Error-Type': errorType });
}

function fault(name, message) {
  return Object.assign(new Error(message), { name });
}

async function loadHandler() {
  const [, module, name] = /^(.*?)\.([^/]*)$/.exec(env._HANDLER) ?? [];
  const stem = path.resolve(env.LAMBDA_TASK_ROOT, module ?? '');
  const file = ['.js', '.mjs', '.cjs'].map((end) => stem + end).find((full) => existsSync(full));
  if (!file) throw fault('Runtime.ImportModuleError', `Error: Cannot find module '${module}'`);
  const exported = await import(pathToFileURL(file).href);
  const handler =
    name.split('.').reduce((at, key) => at?.[key], exported) ?? exported.default?.[name];
  if (typeof handler !== 'function') {
    throw fault('Runtime.HandlerNotFound', `${env._HANDLER} is undefined or not exported`);
  }
  if (handler.length > 2) {
    throw fault('Runtime.CallbackHandlerDeprecated', 'Callback handlers ended with Node.js 22');
  }
  return handler;
}

function contextOf(headers) {
  return {
    callbackWaitsForEmptyEventLoop: true,
    functionName: env.AWS_LAMBDA_FUNCTION_NAME,
    functionVersion: env.AWS_LAMBDA_FUNCTION_VERSION,
    memoryLimitInMB: env.AWS_LAMBDA_FUNCTION_MEMORY_SIZE,
    logGroupName: env.AWS_LAMBDA_LOG_GROUP_NAME,
    logStreamName: env.AWS_LAMBDA_LOG_STREAM_NAME,
    invokedFunctionArn: headers['lambda-runtime-invoked-function-arn'],
    awsRequestId: headers['lambda-runtime-aws-request-id'],
    getRemainingTimeInMillis: () => Number(headers['lambda-runtime-deadline-ms']) - Date.now(),
  };
}

let errorPlace = 'init/error';

async function end(thrown, errorType, status) {
  console.error(thrown);
  await postError(errorPlace, thrown, errorType).catch(() => {});
  process.exit(status);
}
process.on('uncaughtException', (error, origin) =>
  origin === 'unhandledRejection'
    ? end(error, 'Runtime.UnhandledPromiseRejection', 128)
    : end(error, undefined, 129),
);

const handler = await loadHandler().catch((error) => end(error, undefined, 1));
for (let count = 1; ; count++) {
  const next = await call('GET', 'invocation/next').catch(() => process.exit(0));
  const id = next.headers['lambda-runtime-aws-request-id'];
  errorPlace = `invocation/${id}/error`;
  env._X_AMZN_TRACE_ID = next.headers['lambda-runtime-trace-id'];
  try {
    const answer = JSON.stringify(
      (await handler(JSON.parse(next.text), contextOf(next.headers))) ?? null,
    );
    const rss = { 'penstock-rss-kb-max': String(process.resourceUsage().maxRSS) };
    await call('POST', `invocation/${id}/response`, answer ?? 'null', rss);
  } catch (error) {
    console.error(error);
    await postError(errorPlace, error).catch(() => process.exit(0));
  }
  if (count === 1) flushCompileCache();
}
