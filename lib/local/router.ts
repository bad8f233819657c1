/** Which part of the cloud answers a request, and what a fault makes of the answer. */
import type { Clock, NewId, RequestFault, WireHandler } from './contracts.ts';
import type { WireRequest, WireResponse } from './contracts.ts';
import { internalFailure } from './faults/internal-failure.ts';
import { RANDOM_ID } from './new-id.ts';
import { SYSTEM_CLOCK } from './system-clock.ts';

export interface WireRoutes {
  /** By what stands before the dot of `x-amz-target`, as `Kinesis_20131202`. */
  readonly targets: Readonly<Record<string, WireHandler>>;
  /** Asked in order, for requests without a known target. */
  readonly paths: readonly {
    readonly matches: (request: WireRequest) => boolean;
    readonly handler: WireHandler;
  }[];
  /** Asked before any handler; an answer of its own is the whole answer. */
  readonly admit?: (request: WireRequest) => WireResponse | undefined;
  /** Asked before that, of every request. */
  readonly faultOf?: (request: WireRequest) => RequestFault | undefined;
  /** Hears of a handler's exception, which the client sees as a 500. */
  readonly onDefect?: (error: unknown) => void;
  /** By which a delayed request waits. Default: the machine's. */
  readonly clock?: Clock;
  readonly newId?: NewId;
}

/** What a client sees of its request. */
export type Delivery =
  | { readonly kind: 'answered'; readonly response: WireResponse }
  /** Half of the answer, and then the end of the connection. */
  | { readonly kind: 'cut-amid'; readonly response: WireResponse }
  | { readonly kind: 'cut' }
  /** Nothing at all, for as long as the client waits. */
  | { readonly kind: 'unanswered' };

export type Router = (request: WireRequest) => Promise<Delivery>;

export function createRouter(routes: WireRoutes): Router {
  const answer = async (request: WireRequest): Promise<Delivery> => {
    const response = await work(routes, request);
    return response.hangUp === true ? { kind: 'cut' } : { kind: 'answered', response };
  };
  const suffer = async (fault: RequestFault, request: WireRequest): Promise<Delivery> => {
    switch (fault.kind) {
      case 'error-before':
        return { kind: 'answered', response: internalFailure(request, newIdOf(routes)()) };
      case 'cut-before':
        return { kind: 'cut' };
      case 'delay':
        await passed(routes.clock ?? SYSTEM_CLOCK, fault.delayMs);
        return answer(request);
      case 'error-after':
        await work(routes, request);
        return { kind: 'answered', response: internalFailure(request, newIdOf(routes)()) };
      case 'cut-after':
        await work(routes, request);
        return { kind: 'cut' };
      case 'cut-amid':
        return { kind: 'cut-amid', response: await work(routes, request) };
      case 'hang':
        await work(routes, request);
        return { kind: 'unanswered' };
    }
  };
  return (request) => {
    const fault = routes.faultOf?.(request);
    return fault === undefined ? answer(request) : suffer(fault, request);
  };
}

async function work(routes: WireRoutes, request: WireRequest): Promise<WireResponse> {
  const service = request.headers['x-amz-target']?.split('.')[0];
  const handler =
    (service !== undefined && Object.hasOwn(routes.targets, service)
      ? routes.targets[service]
      : undefined) ?? routes.paths.find(({ matches }) => matches(request))?.handler;
  if (handler === undefined) return failure(routes, 404, 'UnknownOperationException');
  try {
    return routes.admit?.(request) ?? (await handler.handle(request));
  } catch (error) {
    routes.onDefect?.(error);
    const message = error instanceof Error ? error.message : String(error);
    return failure(routes, 500, 'InternalFailure', message);
  }
}

/** An answer that no service gave. */
export function failure(
  routes: Pick<WireRoutes, 'newId'>,
  status: number,
  code: string,
  message = code,
): WireResponse {
  return {
    status,
    headers: { 'content-type': 'application/json', 'x-amzn-requestid': newIdOf(routes)() },
    body: JSON.stringify({ __type: code, message }),
  };
}

function newIdOf({ newId = RANDOM_ID }: Pick<WireRoutes, 'newId'>): NewId {
  return newId;
}

function passed(clock: Clock, durationMs: number): Promise<void> {
  return new Promise((resolve) => void clock.setTimer(durationMs, resolve));
}
