/** A handler in this process: how it is called, and what its answer or its error is. */
import type { InvokeResult } from '#local/contracts';
import type { FunctionSettings } from './function-settings.ts';
import { outsideWorlds } from './in-process-scope.ts';
import { RESPONSE_BYTES_MAX, responseTooLarge } from './invocation-failure.ts';

/** What Lambda's Context says. */
export interface InProcessContext {
  readonly callbackWaitsForEmptyEventLoop: boolean;
  readonly functionName: string;
  readonly functionVersion: string;
  readonly invokedFunctionArn: string;
  readonly memoryLimitInMB: string;
  readonly awsRequestId: string;
  readonly logGroupName: string;
  readonly logStreamName: string;
  readonly clientContext?: unknown;
  getRemainingTimeInMillis(): number;
}

/** A handler as Lambda would call it; its event may be declared as what it expects. */
export type InProcessHandler = {
  handle(event: unknown, context: InProcessContext): unknown;
}['handle'];

/** Of an invocation that took place. */
export type RunResult = Exclude<InvokeResult, { readonly kind: 'throttled' }>;

/** Its answer as JSON; what it throws, as the runtime would post it, and as a line of its log. */
export async function answerOf(
  handler: InProcessHandler,
  {
    payload,
    context,
    write,
  }: {
    readonly payload: string;
    readonly context: InProcessContext;
    readonly write: (line: string) => void;
  },
): Promise<RunResult> {
  try {
    const answer = stringified((await handler(JSON.parse(payload), context)) ?? null);
    if (Buffer.byteLength(answer) > RESPONSE_BYTES_MAX) return responseTooLarge();
    return { kind: 'ok', payload: answer };
  } catch (thrown) {
    const error = thrown as Partial<Error> | undefined;
    const errorType = error?.name ?? typeof thrown;
    const errorMessage = error?.message ?? String(thrown);
    const trace = error?.stack?.split('\n') ?? [];
    write(error?.stack ?? String(thrown));
    const body = JSON.stringify({ errorType, errorMessage, trace });
    return { kind: 'error', errorType, payload: body };
  }
}

export function contextOf(
  { name, arn, memoryMb }: FunctionSettings,
  invocation: {
    readonly requestId: string;
    readonly logStreamName: string;
    readonly clientContext: string | undefined;
    readonly deadlineMs: number;
    /** The cloud's, whatever the handler is told. */
    nowMs(): number;
  },
): InProcessContext {
  const { clientContext } = invocation;
  return {
    callbackWaitsForEmptyEventLoop: true,
    functionName: name,
    functionVersion: '$LATEST',
    invokedFunctionArn: arn,
    memoryLimitInMB: String(memoryMb),
    awsRequestId: invocation.requestId,
    logGroupName: `/aws/lambda/${name}`,
    logStreamName: invocation.logStreamName,
    ...(clientContext === undefined ? {} : { clientContext: JSON.parse(clientContext) as unknown }),
    getRemainingTimeInMillis: () => invocation.deadlineMs - outsideWorlds(invocation.nowMs),
  };
}

function stringified(answer: unknown): string {
  try {
    return JSON.stringify(answer) ?? 'null';
  } catch {
    const message = 'Unable to stringify response body';
    throw Object.assign(new Error(message), { name: 'Runtime.JSONStringifyError' });
  }
}
