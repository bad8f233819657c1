/**
 * Gives handlers that run in this process a world of their own.
 *
 * While a cloud runs handlers in process, the language's clock, timers, dice, console, variables and
 * `fetch` look who calls: a handler gets its invocation's, everyone else the machine's.
 */
import nodeCrypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import { format } from 'node:util';
import { currentWorld } from './in-process-scope.ts';
import { WORLD_TIMERS } from './in-process-timers.ts';

let users = 0;
let restore: () => void = () => undefined;

/** @returns puts everything back, when all who asked have done so. */
export function shareGlobals(): () => void {
  users += 1;
  if (users === 1) restore = replaceGlobals();
  let isOver = false;
  return () => {
    if (isOver) return;
    isOver = true;
    users -= 1;
    if (users === 0) restore();
  };
}

function replaceGlobals(): () => void {
  const undo: (() => void)[] = [];
  const replace = (holder: object, name: string, make: (old: never) => unknown): void => {
    const before = Object.getOwnPropertyDescriptor(holder, name);
    const value = make(Reflect.get(holder, name) as never);
    Object.defineProperty(holder, name, { value, configurable: true, writable: true });
    undo.push(() => {
      if (before === undefined) Reflect.deleteProperty(holder, name);
      else Object.defineProperty(holder, name, before);
    });
  };
  replace(globalThis, 'Date', dateOfWorld);
  replace(globalThis, 'fetch', fetchOfWorld);
  replace(globalThis, 'console', consoleOfWorld);
  replace(Math, 'random', (old: () => number) => () => (currentWorld()?.chance ?? old)());
  for (const holder of [globalThis.crypto, nodeCrypto]) {
    replace(holder, 'randomUUID', (old: () => string) => (...options: []) => {
      const drawn = currentWorld()?.newId?.();
      return drawn ?? (Reflect.apply(old, holder, options) as string);
    });
  }
  for (const [name, make] of Object.entries(WORLD_TIMERS)) {
    replace(globalThis, name, make);
  }
  for (const stream of [process.stdout, process.stderr]) replace(stream, 'write', writeOfWorld);
  replace(AbortSignal, 'timeout', timeoutOfWorld);
  undo.push(replaceEnvironment());
  syncBuiltinESMExports();
  return () => {
    for (const one of undo.splice(0).toReversed()) one();
    syncBuiltinESMExports();
  };
}

function dateOfWorld(machine: DateConstructor): DateConstructor {
  return new Proxy(machine, {
    construct(target, values, newTarget: unknown) {
      const world = values.length === 0 ? currentWorld() : undefined;
      const given: unknown[] = world === undefined ? values : [world.nowMs()];
      return Reflect.construct(target, given, newTarget as DateConstructor) as Date;
    },
    apply: (target) => new target(currentWorld()?.nowMs() ?? target.now()).toString(),
    get(target, name, receiver) {
      if (name === 'now') return () => currentWorld()?.nowMs() ?? target.now();
      return Reflect.get(target, name, receiver) as unknown;
    },
  });
}

function fetchOfWorld(machine: typeof fetch): typeof fetch {
  return async (input, init) => {
    const world = currentWorld();
    if (world === undefined) return machine(input, init);
    return world.fetch(input, init) ?? world.outside(async () => whole(await machine(input, init)));
  };
}

/** With its body read: what is still on its way would arrive in another moment each time. */
async function whole(response: Response): Promise<Response> {
  const { status, statusText, headers, url } = response;
  const body = await response.arrayBuffer();
  const isEmpty = body.byteLength === 0;
  const read = new Response(isEmpty ? null : body, { status, statusText, headers });
  return Object.defineProperty(read, 'url', { value: url });
}

const LEVELS = new Set(['debug', 'error', 'info', 'log', 'trace', 'warn']);

function consoleOfWorld(machine: Console): Console {
  return new Proxy(machine, {
    get(target, name) {
      const world = LEVELS.has(String(name)) ? currentWorld() : undefined;
      const own = Reflect.get(target, name, target) as unknown;
      return world === undefined
        ? own
        : (...said: unknown[]) => world.write(`${format(...said)}\n`);
    },
  });
}

function writeOfWorld(machine: (...said: unknown[]) => boolean) {
  return function write(this: unknown, ...said: unknown[]): boolean {
    const world = currentWorld();
    if (world === undefined) return Reflect.apply(machine, this, said);
    const [text] = said;
    world.write(typeof text === 'string' ? text : Buffer.from(text as Uint8Array).toString());
    const written = said.at(-1);
    if (typeof written === 'function') queueMicrotask(() => void Reflect.apply(written, this, []));
    return true;
  };
}

function timeoutOfWorld(machine: typeof AbortSignal.timeout): typeof AbortSignal.timeout {
  return (delayMs) => {
    const world = currentWorld();
    if (world === undefined) return Reflect.apply(machine, AbortSignal, [delayMs]);
    const controller = new AbortController();
    const why = new DOMException('The operation was aborted due to timeout', 'TimeoutError');
    world.setTimer(delayMs, () => controller.abort(why));
    return controller.signal;
  };
}

function replaceEnvironment(): () => void {
  const before = Object.getOwnPropertyDescriptor(process, 'env');
  const machine = before?.value as Record<string, string | undefined>;
  Object.defineProperty(process, 'env', {
    configurable: true,
    enumerable: true,
    get: () => currentWorld()?.environment ?? machine,
  });
  return () => {
    if (before !== undefined) Object.defineProperty(process, 'env', before);
  };
}
