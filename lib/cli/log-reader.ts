/** Reads what functions wrote, from CloudWatch Logs. */
import { setTimeout as pause } from 'node:timers/promises';
import type { SignedFetch } from '#adapters/aws/signed-fetch';
import { CliError } from './cli-error.ts';

export interface LogEvent {
  readonly functionName: string;
  readonly timestampMs: number;
  /** Without the line break at its end. */
  readonly message: string;
}

interface Page {
  readonly events?: readonly {
    readonly eventId: string;
    readonly timestamp: number;
    readonly message: string;
  }[];
  readonly nextToken?: string;
}

/** @source CloudWatch Logs API 2014-03-28, FilterLogEvents. */
const TARGET = 'Logs_20140328.FilterLogEvents';
const TIMEOUT_MS = 10_000;

/** A request a function; a region answers few a second to all. */
const FOLLOW_GAP_MS = 1_000;

/** Lines may come late: this much is asked for again, and known by its ids. */
const OVERLAP_MS = 15_000;

export interface LogsAsk {
  readonly functions: readonly string[];
  readonly sinceMs: number;
  /** Given: goes on until it aborts. */
  readonly follow?: AbortSignal | undefined;
}

/** All lines since a moment, in the order of their times; then what comes, if they are followed. */
export async function* readLogs(
  logs: SignedFetch,
  { functions, sinceMs, follow }: LogsAsk,
): AsyncGenerator<LogEvent> {
  const readers = functions.map((name) => groupReader(logs, name, sinceMs));
  for (;;) {
    const ends = await Promise.allSettled(readers.map((read) => read()));
    // Of several that cannot be read the first is told, whichever was answered first.
    const found = ends.flatMap((end) => {
      if (end.status === 'rejected') throw end.reason;
      return end.value;
    });
    yield* found.toSorted((one, other) => one.timestampMs - other.timestampMs);
    if (follow === undefined || follow.aborted) return;
    await pause(FOLLOW_GAP_MS, undefined, { signal: follow }).catch(() => undefined);
    if (follow.aborted) return;
  }
}

/** Reads one function's group; each time, only what was not read before. */
function groupReader(
  logs: SignedFetch,
  functionName: string,
  sinceMs: number,
): () => Promise<LogEvent[]> {
  const seen = new Map<string, number>();
  let newestMs = sinceMs;
  return async () => {
    const startTime = Math.max(sinceMs, newestMs - OVERLAP_MS);
    const fresh: LogEvent[] = [];
    let nextToken: string | undefined;
    do {
      const page = await filter(logs, functionName, { startTime, nextToken });
      for (const { eventId, timestamp, message } of page.events ?? []) {
        if (seen.has(eventId)) continue;
        seen.set(eventId, timestamp);
        newestMs = Math.max(newestMs, timestamp);
        fresh.push({ functionName, timestampMs: timestamp, message: message.trimEnd() });
      }
      ({ nextToken } = page);
    } while (nextToken !== undefined);
    for (const [id, ms] of seen) if (ms < newestMs - OVERLAP_MS) seen.delete(id);
    return fresh;
  };
}

async function filter(
  logs: SignedFetch,
  functionName: string,
  from: { readonly startTime: number; readonly nextToken: string | undefined },
): Promise<Page> {
  const response = await logs({
    method: 'POST',
    path: '/',
    headers: { 'content-type': 'application/x-amz-json-1.1', 'x-amz-target': TARGET },
    body: JSON.stringify({ logGroupName: `/aws/lambda/${functionName}`, ...from }),
    timeoutMs: TIMEOUT_MS,
  });
  if (response.ok) return (await response.json()) as Page;
  const text = await response.text();
  if (text.includes('ThrottlingException')) {
    await pause(FOLLOW_GAP_MS);
    return filter(logs, functionName, from);
  }
  if (text.includes('ResourceNotFoundException')) {
    throw new CliError(`There are no logs of ${functionName} here. Is it deployed in this stage?`);
  }
  throw new CliError(`The logs of ${functionName} cannot be read: ${text}`);
}
