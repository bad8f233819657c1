/** The runtime inside one environment: imports the handler, then asks for work until its cloud is gone. */
import { statSync } from 'node:fs';
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

function stringified(answered) {
  try {
    return JSON.stringify(answered);
  } catch {
    throw fault('Runtime.JSONStringifyError', 'Unable to stringify response body');
  }
}

function fault(name, message) {
  return Object.assign(new Error(message), { name });
}

/** @source aws-lambda-nodejs-runtime-interface-client, the runtime of nodejs24.x: how a handler is found. */
async function loadHandler() {
  const asked = env._HANDLER;
  if (asked.includes('..')) {
    const words = 'Use absolute paths when specifying root directories in handler names.';
    throw fault('Runtime.MalformedHandlerName', `'${asked}' is not a valid handler name. ${words}`);
  }
  const [, root, module, name] = /^(.*\/)?([^./]*)\.(.*)$/.exec(asked) ?? [];
  if (module === undefined) throw fault('Runtime.MalformedHandlerName', 'Bad handler');
  const stem = path.resolve(env.LAMBDA_TASK_ROOT, root ?? '', module);
  const file = ['', '.js', '.mjs', '.cjs'].map((end) => stem + end).find(isFile);
  if (!file) throw fault('Runtime.ImportModuleError', `Error: Cannot find module '${module}'`);
  const exported = await import(pathToFileURL(file).href).catch((error) => {
    throw importError(error);
  });
  const handler = findIn(exported, name) ?? findIn(exported.default, name);
  if (!handler) {
    throw fault('Runtime.HandlerNotFound', `${asked} is undefined or not exported`);
  }
  if (typeof handler !== 'function') {
    throw fault('Runtime.HandlerNotFound', `${asked} is not a function`);
  }
  if (handler.length > 2) throw fault('Runtime.CallbackHandlerDeprecated', CALLBACK_ERROR);
  return handler;
}

const CALLBACK_ERROR =
  'ERROR: AWS Lambda has removed support for callback-based function handlers starting with ' +
  'Node.js 24. You need to modify this function to use a supported handler signature to use ' +
  'Node.js 24 or later. For more information see ' +
  'https://docs.aws.amazon.com/lambda/latest/dg/nodejs-handler.html.';

function isFile(full) {
  return statSync(full, { throwIfNoEntry: false })?.isFile() ?? false;
}

function findIn(exported, name) {
  return name
    .split('.')
    .reduce((at, key) => (typeof at === 'object' && at !== null ? at[key] : undefined), exported);
}

/** What cannot be parsed, and what the module itself cannot find, have types of their own. */
function importError(error) {
  if (error instanceof SyntaxError) return named(error, 'Runtime.UserCodeSyntaxError');
  const isMissing = ['MODULE_NOT_FOUND', 'ERR_MODULE_NOT_FOUND'].includes(error?.code);
  return isMissing ? named(error, 'Runtime.ImportModuleError') : error;
}

function named(error, name) {
  const { stack } = error;
  return Object.assign(new Error(`${error.name}: ${error.message}`), { name, stack });
}

/** The platform's time, also where a fault skews the function's. */
const trueNow = globalThis[Symbol.for('penstock.true-now')] ?? Date.now;

/** @source aws-lambda-nodejs-runtime-interface-client, context-builder: without what served callbacks. */
function contextOf(headers) {
  const parsed = (name) => (headers[name] === undefined ? undefined : JSON.parse(headers[name]));
  const deadlineMs = Number(headers['lambda-runtime-deadline-ms']);
  return {
    clientContext: parsed('lambda-runtime-client-context'),
    identity: parsed('lambda-runtime-cognito-identity'),
    invokedFunctionArn: headers['lambda-runtime-invoked-function-arn'],
    awsRequestId: headers['lambda-runtime-aws-request-id'],
    xRayTraceId: headers['lambda-runtime-trace-id'],
    getRemainingTimeInMillis: () => deadlineMs - trueNow(),
    functionName: env.AWS_LAMBDA_FUNCTION_NAME,
    functionVersion: env.AWS_LAMBDA_FUNCTION_VERSION,
    memoryLimitInMB: env.AWS_LAMBDA_FUNCTION_MEMORY_SIZE,
    logGroupName: env.AWS_LAMBDA_LOG_GROUP_NAME,
    logStreamName: env.AWS_LAMBDA_LOG_STREAM_NAME,
  };
}

/** Says that the handler is about to be entered, where someone counts from there; takes on a skew. */
async function prepareFault(headers) {
  globalThis[Symbol.for('penstock.set-skew')]?.(Number(headers['penstock-skew-ms'] ?? 0));
  if (headers['penstock-tell-entry'] !== undefined) await call('POST', 'penstock/entered', '');
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
  await prepareFault(next.headers);
  try {
    const answered = await handler(JSON.parse(next.text), contextOf(next.headers));
    const answer = stringified(answered ?? null);
    const rss = { 'penstock-rss-kb-max': String(process.resourceUsage().maxRSS) };
    await call('POST', `invocation/${id}/response`, answer ?? 'null', rss);
  } catch (error) {
    console.error(error);
    await postError(errorPlace, error).catch(() => process.exit(0));
  }
  if (count === 1) flushCompileCache();
}
