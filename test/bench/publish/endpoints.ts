/** What is measured against, each in a process of its own. */
import { fork, spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { EndpointMode, EndpointSeen } from './endpoint.ts';
import type { Sender, Spent } from './senders.ts';

export interface Endpoint {
  readonly url: string;
  set(mode: EndpointMode): Promise<void>;
  /** Undefined when it looks at nothing. */
  seen(): Promise<EndpointSeen | undefined>;
  stop(): Promise<void>;
}

export const PLAIN_MODE: EndpointMode = { refused: 0, lateMs: 0, judges: false };

/** Takes every record and keeps none. */
export async function openEndpoint(): Promise<Endpoint> {
  const { url, child } = await serve('endpoint.ts');
  return {
    url,
    async set(mode) {
      await fetch(`${url}/mode`, { method: 'POST', body: JSON.stringify(mode) });
    },
    seen: async () => (await (await fetch(`${url}/seen`)).json()) as EndpointSeen,
    stop: () => stop(child),
  };
}

/** The local cloud's Kinesis, with shards that take what comes. */
export async function openLocalCloud(): Promise<Endpoint> {
  const child = fork(join(import.meta.dirname, '../local-kinesis-server.ts'));
  const [{ url }] = (await once(child, 'message')) as [{ url: string }];
  return {
    url,
    set: () => Promise.resolve(),
    seen: () => Promise.resolve(undefined),
    stop: () => stop(child),
  };
}

/** A paged API of so many orders. */
export async function openPages(ask: {
  readonly count: number;
  readonly keys: number;
  readonly pageSize: number;
}): Promise<{ readonly url: string; stop(): Promise<void> }> {
  const { url, child } = await serve(
    'pages-server.ts',
    ...[ask.count, ask.keys, ask.pageSize].map(String),
  );
  return { url, stop: () => stop(child) };
}

/** A sender in a process of its own: neither heap nor compiled code is shared with another. */
export async function openSender(
  which: string,
  pages: string,
  records: number,
): Promise<Sender & { stop(): Promise<void> }> {
  const file = join(import.meta.dirname, 'sender-process.ts');
  const child = fork(file, [which, pages, String(records)]);
  const [name] = (await once(child, 'message')) as [string];
  return {
    name,
    prepare: (endpoint) => ({
      async run() {
        child.send(endpoint);
        const [spent] = (await once(child, 'message')) as [Spent];
        return spent;
      },
      close: () => undefined,
    }),
    stop: () => stop(child),
  };
}

async function serve(file: string, ...args: readonly string[]) {
  const child = spawn(process.execPath, [join(import.meta.dirname, file), ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  return { url: line.toString().trim(), child };
}

async function stop(child: ChildProcess): Promise<void> {
  const ended = once(child, 'exit');
  child.kill();
  await ended;
}
