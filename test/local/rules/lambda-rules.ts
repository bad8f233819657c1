import type { Rules } from './rule.ts';

const GUIDE = 'lambda/latest/dg';
const api = (action: string) => `Lambda API 2015-03-31, ${action}`;
const RUNTIME = 'aws-lambda-nodejs-runtime-interface-client, the runtime of nodejs24.x';

export const LAMBDA_RULES = {
  'handler-event': {
    rule: 'a handler is given its event and answers with JSON',
    source: `${GUIDE}/nodejs-handler`,
  },
  'handler-nothing': {
    rule: 'a handler that answers nothing answers null',
    source: `${GUIDE}/nodejs-handler`,
  },
  'handler-sync': { rule: 'a handler need not be asynchronous', source: `${GUIDE}/nodejs-handler` },
  'handler-path': {
    rule: 'a handler is named by its file’s path and its place in what the file exports',
    source: `${RUNTIME}, handler-path`,
  },
  'handler-modules': {
    rule: 'a handler is found in an ES module and in a CommonJS one, which the file’s ending or its package says',
    source: `${RUNTIME}, module-loader`,
  },
  'handler-experimental': {
    rule: 'a file’s kind is not guessed from its code, and CommonJS requires no ES module',
    source: `${GUIDE}/lambda-nodejs, experimental features`,
  },
  'handler-not-found': {
    rule: 'a missing file, export or function, a wrong name and wrong syntax each have an error of their own',
    source: `${RUNTIME}, errors`,
  },
  'handler-callback': {
    rule: 'a handler that declares a callback is refused',
    source: `${GUIDE}/nodejs-handler: up to Node.js 22 only`,
  },
  'handler-one-node': {
    rule: 'a function of any Node.js runtime runs on the Node 24 that the project brings',
    source: 'one Node is installed; what differs, as callbacks, is refused and not served',
    isOurChoice: true,
  },
  'handler-circular': {
    rule: 'an answer that cannot be JSON is an error',
    source: `${RUNTIME}, Runtime.JSONStringifyError`,
  },
  context: {
    rule: 'the context names the invocation and how long it may still take, and holds nothing of callbacks',
    source: `${GUIDE}/nodejs-context; ${RUNTIME}, context-builder`,
  },
  'context-client': {
    rule: 'a client’s context comes to the handler',
    limit: '3,583 bytes of base64',
    source: api('Invoke, X-Amz-Client-Context'),
  },
  'trace-id': {
    rule: 'each invocation has a trace id of its own in _X_AMZN_TRACE_ID',
    source: `${GUIDE}/configuration-envvars`,
  },
  'environment-variables': {
    rule: 'a function sees the declared environment and the standard one, and nothing of ours',
    source: `${GUIDE}/configuration-envvars, defined runtime environment variables`,
  },
  'environment-size': {
    rule: 'the environment is at most four kilobytes',
    limit: '4 KB',
    source: `${GUIDE}/gettingstarted-limits`,
  },
  'environment-reserved': {
    rule: 'reserved names cannot be declared',
    source: `${GUIDE}/configuration-envvars, reserved environment variables`,
  },
  'environment-names': {
    rule: 'a variable’s name begins with a letter and has two characters at least',
    source: `${GUIDE}/configuration-envvars`,
  },
  'settings-bounds': {
    rule: 'memory, timeout and reserved concurrency have bounds',
    limit: '128–10,240 MB, 1–900 s',
    source: `${GUIDE}/gettingstarted-limits`,
  },
  'memory-heap': {
    rule: 'a heap that outgrows the memory ends the process',
    source:
      'nine tenths of the memory are the heap’s, as in AWS’s bootstrap; what is beside the heap is not limited',
    isOurChoice: true,
  },
  timeout: {
    rule: 'a handler past its timeout is killed, whatever it does',
    limit: '3 s by default',
    source: `${GUIDE}/troubleshooting-invocation`,
  },
  'init-error': {
    rule: 'a module that throws answers with its error',
    source: `${GUIDE}/lambda-runtime-environment, failures during Init`,
  },
  'init-again': {
    rule: 'a start that fails is tried again within the invocation',
    source: `${GUIDE}/lambda-runtime-environment, failures during Init`,
  },
  'init-timeout': {
    rule: 'a start has ten seconds; tried again, it has the function’s timeout',
    limit: '10 s',
    source: `${GUIDE}/lambda-runtime-environment, Init phase`,
  },
  'handler-throws': {
    rule: 'a handler that throws answers an error, and its environment lives on',
    source: `${GUIDE}/nodejs-exceptions`,
  },
  crash: {
    rule: 'a process that ends answers Runtime.ExitError with how it ended, and the next one starts anew',
    source: `${GUIDE}/troubleshooting-invocation, Runtime.ExitError`,
  },
  'unhandled-rejection': {
    rule: 'a rejection that nobody handles ends the process as Runtime.UnhandledPromiseRejection',
    source: `${RUNTIME}, Runtime.UnhandledPromiseRejection`,
  },
  'failure-words': {
    rule: 'the platform’s failures are in AWS’s words',
    source: `${GUIDE}/troubleshooting-invocation`,
  },
  'size-response': {
    rule: 'an answer larger than six megabytes is Function.ResponseSizeTooLarge',
    limit: '6 MB',
    source: `${GUIDE}/gettingstarted-limits`,
  },
  'size-request': {
    rule: 'an event is at most six megabytes, or one when nobody waits for it',
    limit: '6 MB synchronous, 1 MB asynchronous',
    source: `${GUIDE}/gettingstarted-limits`,
  },
  'warm-reuse': {
    rule: 'an environment is used again, and its start is reported once',
    source: `${GUIDE}/lambda-runtime-environment`,
  },
  'warm-one-at-once': {
    rule: 'invocations at once run in environments of their own',
    source: `${GUIDE}/lambda-concurrency`,
  },
  'warm-idle': {
    rule: 'an environment without work is ended',
    limit: '5 minutes',
    source: 'AWS gives no time; a machine’s memory is small',
    isOurChoice: true,
  },
  'concurrency-reserved': {
    rule: 'a function beyond its reserved concurrency is throttled, at once with none reserved',
    source: `${GUIDE}/configuration-concurrency`,
  },
  'concurrency-account': {
    rule: 'the functions together stay within the concurrency of the account',
    limit: '64 here; 1,000 on AWS',
    source: `${GUIDE}/lambda-concurrency; a thousand processes are no machine’s`,
    isOurChoice: true,
  },
  'log-lines': {
    rule: 'what a function prints is told line by line with its invocation',
    source: 'AWS puts time, request and level before a line of console; here it stands as written',
    isOurChoice: true,
  },
  'log-platform': {
    rule: 'START, END and REPORT stand around an invocation’s lines, INIT_REPORT after a failed start',
    source: `${GUIDE}/nodejs-logging`,
  },
  'runtime-api': {
    rule: 'an invocation is handed over at the Runtime API’s paths, with its headers, whoever comes first',
    source: `${GUIDE}/runtimes-api`,
  },
  'runtime-api-once': {
    rule: 'an answer is taken once; a second one is of no invocation',
    source: `${GUIDE}/runtimes-api`,
  },
  'runtime-api-error': {
    rule: 'an error is reported with the type of its header',
    source: `${GUIDE}/runtimes-api, Lambda-Runtime-Function-Error-Type`,
  },
  'runtime-api-init-error': {
    rule: 'an init error needs no invocation',
    source: `${GUIDE}/runtimes-api`,
  },
  'invoke-names': {
    rule: 'a function is invoked by its name, its ARN or a part of it, with or without $LATEST',
    source: api('Invoke, FunctionName'),
  },
  'invoke-qualifier': {
    rule: 'a version or alias other than $LATEST is not found',
    source: 'functions are not published here',
    isOurChoice: true,
  },
  'invoke-event': {
    rule: 'an event is accepted, and nobody waits for it',
    source: api('Invoke, InvocationType Event'),
  },
  'invoke-dry-run': {
    rule: 'a dry run runs nothing',
    source: api('Invoke, InvocationType DryRun'),
  },
  'invoke-function-error': {
    rule: 'a function’s error is an answer with a mark',
    source: api('Invoke, X-Amz-Function-Error'),
  },
  'invoke-log-tail': {
    rule: 'the last of the log comes with the answer when it is asked for',
    limit: '4 KB',
    source: api('Invoke, LogType Tail'),
  },
  'invoke-throttled': {
    rule: 'a throttled invocation is TooManyRequestsException, and says whose concurrency is used up',
    source: api('Invoke, TooManyRequestsException'),
  },
  'invoke-refused': {
    rule: 'an unknown function, what is no JSON and an unknown type of invocation are refused',
    source: api('Invoke, errors'),
  },
  'functions-described': {
    rule: 'functions are described one by one and listed',
    source: api('GetFunction, GetFunctionConfiguration, ListFunctions'),
  },
  'functions-updated': {
    rule: 'a function’s environment, timeout and memory can be changed while it runs',
    source: api('UpdateFunctionConfiguration'),
  },
  'functions-concurrency': {
    rule: 'reserved concurrency is put, read and deleted',
    source: api('PutFunctionConcurrency'),
  },
  'functions-unsupported': {
    rule: 'what cannot be changed here, and what is not served, is refused by name',
    source: 'what is not emulated is never ignored',
    isOurChoice: true,
  },
  'async-retries': {
    rule: 'an event whose function fails is tried again after one minute, and after two more',
    limit: '0–2 retries, 2 by default',
    source: `${GUIDE}/invocation-async-error-handling`,
  },
  'async-throttled': {
    rule: 'a throttled event waits longer and longer, and spends no retry',
    limit: '1 s to 5 minutes',
    source: `${GUIDE}/invocation-async-error-handling`,
  },
  'async-age': {
    rule: 'an event that grows too old is given up',
    limit: '6 hours by default, 60–21,600 s',
    source: `${GUIDE}/invocation-async-error-handling`,
  },
  'async-tempo': {
    rule: 'with tempo a retry comes in moments',
    source: 'nobody waits three minutes for a demonstration',
    isOurChoice: true,
  },
  'async-own-rules': {
    rule: 'a function’s own rules are its alone',
    source: api('PutFunctionEventInvokeConfig'),
  },
  'async-success': {
    rule: 'an event that succeeds is tried once',
    source: `AWS may deliver twice (${GUIDE}/invocation-async); a fault does so on command`,
    isOurChoice: true,
  },
  'async-to-bucket': {
    rule: 'what is given up is an object of the failure bucket, named by function and time',
    source: `${GUIDE}/invocation-async-retain-records`,
  },
  'async-to-queue': {
    rule: 'what is given up is a message of the failure queue, with why and what of',
    source: `${GUIDE}/invocation-async-retain-records`,
  },
  'async-dead-letters': {
    rule: 'a dead letter is the event itself, with the error in its attributes',
    source: `${GUIDE}/invocation-async-retain-records, dead-letter queues`,
  },
  'async-undelivered': {
    rule: 'a destination that cannot be reached is counted, and costs nothing else',
    source: `${GUIDE}/monitoring-metrics-types, DestinationDeliveryFailures`,
  },
  'fault-kill': {
    rule: 'a fault kills the process so long after its handler was entered',
    source: 'as a crash of the machine would',
    isOurChoice: true,
  },
  'fault-freeze': {
    rule: 'a fault stops the process so long after its handler was entered, and its timeout ends it',
    source: 'as a stalled host would',
    isOurChoice: true,
  },
  'fault-skew': {
    rule: 'a fault shifts Date, and only Date, for one invocation',
    source: 'as a wrong clock would; timers and the time that is left stay true',
    isOurChoice: true,
  },
} as const satisfies Rules;
