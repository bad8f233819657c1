/**
 * Sends records to one consumer out of their turn: a second reading of the stream, or of quarantine.
 *
 * Always true: records of one partition key arrive in the order given, and once one of them stays
 * unfinished, no later one is sent. Sending the same again is harmless to a consumer.
 */
import { cutCalls, fitsCall } from '#core/batch/cut-calls';
import type { CallLimits } from '#core/batch/cut-calls';
import type { RecordEnd } from '#core/checkpoint/record-end';
import type { StoredRecord } from '#core/record/records';
import type { Clock } from '#ports/clock';
import type { ConsumerCall } from '#ports/consumer-call';
import type { Passage } from '#ports/sink';
import { errorSentence, isRetryable } from './world-failure.ts';

/** `too-large`: no call can hold it. `unsent`: it stopped before. */
export type SentEnd = RecordEnd | 'too-large' | 'unsent';

export interface OutOfTurnOptions extends CallLimits {
  readonly passage: Exclude<Passage, 'stream'>;
  readonly recordsPerSec: number;
  /** Calls in which nothing of what they held was finished, before its rest is `returned`. */
  readonly triesMax: number;
  readonly signal: AbortSignal;
}

export interface OutOfTurnPorts {
  readonly call: ConsumerCall;
  readonly clock: Clock;
  /** Told of each call's records once no more is tried with them; the next call waits for it. */
  settle?(records: readonly StoredRecord[], ends: readonly SentEnd[]): Promise<void>;
}

export interface Sent {
  /** How each record ended, by its place. */
  readonly ends: readonly SentEnd[];
  /** Why it stopped early. `fruitless`: several calls in a row finished nothing, as the rest would. */
  readonly stop?: 'interrupted' | 'fruitless';
  /** Why records came back, the last time that any did. */
  readonly detail?: string;
}

export type OutOfTurnSender = (records: readonly StoredRecord[]) => Promise<Sent>;

const PAUSE_FIRST_MS = 1_000;
const PAUSE_MAX_MS = 30_000;
const FRUITLESS_CALLS_MAX = 3;

/**
 * Make a sender; what one run leaves unfinished holds back its keys in the next.
 *
 * What it returns throws what `call` throws for good, or `settle`; what was settled stays settled.
 */
export function outOfTurnSender(options: OutOfTurnOptions, ports: OutOfTurnPorts): OutOfTurnSender {
  const { passage, recordsPerSec, triesMax, signal } = options;
  const { call, clock, settle = async () => {} } = ports;
  // Smaller calls, so that a second holds no more than the rate allows.
  const recordsMax = Math.max(1, Math.min(options.recordsMax, Math.floor(recordsPerSec)));
  const heldKeys = new Set<string>();
  let fruitless = 0;
  let detail: string | undefined;
  let freeAtMs = Number.NEGATIVE_INFINITY;

  return async (records) => {
    const ends: SentEnd[] = [];
    for (const run of cutCalls(records, { ...options, recordsMax })) {
      ends.push(...(stopped() ? run.map(() => 'unsent' as const) : await sendRun(run)));
    }
    const stop = ends.some(isLeft) ? stopped() : undefined;
    return { ends, ...(stop && { stop }), ...(detail === undefined ? {} : { detail }) };
  };

  function stopped(): Sent['stop'] {
    if (signal.aborted) return 'interrupted';
    return fruitless < FRUITLESS_CALLS_MAX ? undefined : 'fruitless';
  }

  async function sendRun(run: readonly StoredRecord[]): Promise<readonly SentEnd[]> {
    const ends = run.map<SentEnd>((record) => {
      if (!fitsCall(record, options)) return 'too-large';
      return heldKeys.has(record.partitionKey) ? 'returned' : 'unsent';
    });
    try {
      await finish(run, ends);
    } finally {
      for (const [place, { partitionKey }] of run.entries()) {
        if (isLeft(ends[place])) heldKeys.add(partitionKey);
      }
      await settle(run, ends);
    }
    return ends;
  }

  /** Sends until everything is finished, or too many calls in a row finish nothing. */
  async function finish(run: readonly StoredRecord[], ends: SentEnd[]): Promise<void> {
    let waiting = [...ends.keys()].filter((place) => ends[place] === 'unsent');
    if (waiting.length === 0) return;
    let isFruitful = false;
    for (let [calls, idle] = [0, 0]; waiting.length > 0 && idle < triesMax; calls++) {
      await pause(Math.max(freeAtMs - clock.nowMs(), calls === 0 ? 0 : pauseMs(idle)));
      if (signal.aborted) break;
      freeAtMs = clock.nowMs() + (waiting.length * 1_000) / recordsPerSec;
      const answers = await tryCall(waiting.map((place) => run[place] as StoredRecord));
      for (const [at, place] of waiting.entries()) ends[place] = answers?.[at] ?? 'returned';
      const left = waiting.filter((place) => ends[place] === 'returned');
      const isFurther = left.length < waiting.length;
      [waiting, idle, isFruitful] = [left, isFurther ? 0 : idle + 1, isFruitful || isFurther];
    }
    fruitless = isFruitful ? 0 : fruitless + 1;
  }

  /** Undefined when nobody knows: they may be done. */
  async function tryCall(records: readonly StoredRecord[]) {
    try {
      const answers = await call(records, passage);
      if (answers.includes('returned')) detail = 'the consumer returned them';
      return answers;
    } catch (error) {
      if (!isRetryable(error)) throw error;
      detail = errorSentence(error);
      return undefined;
    }
  }

  /** Ends at once when all is to end. */
  async function pause(durationMs: number): Promise<void> {
    if (durationMs <= 0 || signal.aborted) return;
    const { promise: aborted, resolve } = Promise.withResolvers<void>();
    const listen = (): void => resolve();
    signal.addEventListener('abort', listen, { once: true });
    await Promise.race([clock.sleep(durationMs), aborted]);
    signal.removeEventListener('abort', listen);
  }
}

function isLeft(end: SentEnd | undefined): boolean {
  return end === 'returned' || end === 'unsent';
}

/** @param idle calls in a row that finished nothing. */
function pauseMs(idle: number): number {
  return Math.min(PAUSE_MAX_MS, PAUSE_FIRST_MS * 2 ** Math.max(0, idle - 1));
}
