/**
 * Holds a poller back while its consumers are too far behind what it published.
 *
 * Always true with `pause`: no page is read while a consumer has left undone what was published longer ago
 * than the bound; and once that was seen, none before the age is half of it. A record that was
 * given up is waited for by nobody, and one that was not published by nobody either: so polls always go on.
 */
import {
  decodeMarks,
  encodeMarks,
  furthestBehind,
  markSent,
  withoutDone,
} from '#core/source/sent-marks';
import type { Behind, DoneSoFar, SentMark } from '#core/source/sent-marks';
import { compareSequences } from '#core/checkpoint/compare-sequences';
import type { SequenceNumber } from '#core/record/records';
import type { CheckpointReader } from '#ports/checkpoint-store';
import type { Clock } from '#ports/clock';
import type { Report } from '#ports/report';
import type { StreamWriter } from '#ports/stream-writer';

export interface BehindOptions {
  /** How old the oldest record may be that a consumer has not done. */
  readonly ageMsMax: number;
  /** `go-on`: it is said, and nothing else. */
  readonly reaction: 'pause' | 'go-on';
  readonly consumers: readonly {
    readonly name: string;
    /** What is older is given up. */
    readonly recordAgeMsMax: number;
  }[];
}

export interface BackpressureWorld {
  readonly checkpoints: CheckpointReader;
  readonly clock: Clock;
  readonly report: Report;
  /** Marks of whoever else publishes, as text; read at each look. */
  readonly sentByOthers?: (() => Promise<string | undefined>) | undefined;
}

export interface HeldBack {
  readonly kind: 'held-back';
  /** Names the consumer, the shard, its age and the bound. */
  readonly detail: string;
}

export interface Backpressure {
  /** Asked before each page: undefined when it may be read and published. */
  ask(): Promise<HeldBack | undefined>;
  /** The same writer; what it confirms is remembered. */
  watch(writer: StreamWriter): StreamWriter;
  /** What is to be saved with the poller's state. */
  text(): string;
}

/** Where a look does not decide, as with `go-on`, the next one comes no sooner. */
const LOOK_MS = 10_000;
/** Marks of a shard, as long as it is not behind the bound. */
const MARKS_TO_BOUND = 8;

/** @param sent as `text` gave it at the end of the last poll. */
export function backpressure(
  pipeline: string,
  { ageMsMax, reaction, consumers }: BehindOptions,
  sent: string | undefined,
  { checkpoints, clock, report, sentByOthers }: BackpressureWorld,
): Backpressure {
  let { heldSinceMs, marks } = decodeMarks(sent);
  let lookedAtMs: number | undefined;
  let isSaid = false;

  return {
    async ask() {
      const nowMs = clock.nowMs();
      if (!isWorthALook(nowMs)) return undefined;
      lookedAtMs = nowMs;
      const behind = await look(nowMs);
      const limitMs = heldSinceMs !== null && reaction === 'pause' ? ageMsMax / 2 : ageMsMax;
      if (behind === undefined || behind.ageMs <= limitMs) {
        heldSinceMs = null;
        return undefined;
      }
      const detail = detailOf(behind, ageMsMax);
      if (reaction === 'go-on') {
        if (!isSaid) report({ event: 'ConsumerBehind', pipeline, ...behind, detail });
        isSaid = true;
        return undefined;
      }
      heldSinceMs ??= nowMs;
      return { kind: 'held-back', detail };
    },

    watch: (writer) => ({
      async put(records, signal) {
        const outcomes = await writer.put(records, signal);
        const last = new Map<string, SequenceNumber>();
        for (const outcome of outcomes) {
          if (outcome.kind !== 'written' || outcome.shardId === undefined) continue;
          const { shardId, sequenceNumber } = outcome;
          raise(last, shardId, sequenceNumber);
        }
        for (const [shardId, sequenceNumber] of last) remember({ shardId, sequenceNumber });
        return outcomes;
      },
    }),

    text: () => encodeMarks({ heldSinceMs, marks }),
  };

  function remember(sent: Omit<SentMark, 'atMs'>): void {
    const mark = { ...sent, atMs: clock.nowMs() };
    marks = markSent(marks, mark, Math.max(1, ageMsMax / MARKS_TO_BOUND));
  }

  /** Nobody is behind by more than the age of the oldest mark that was left by the last look. */
  function isWorthALook(nowMs: number): boolean {
    if (lookedAtMs === undefined) return true;
    const [oldest] = marks;
    const mayBeBehind = oldest !== undefined && nowMs - oldest.atMs > ageMsMax;
    if (mayBeBehind && reaction === 'pause') return true;
    return (mayBeBehind || sentByOthers !== undefined) && nowMs - lookedAtMs >= LOOK_MS;
  }

  async function look(nowMs: number): Promise<Behind | undefined> {
    const foreign = decodeMarks(await sentByOthers?.()).marks;
    const all = [...marks, ...foreign].sort((one, other) => one.atMs - other.atMs);
    if (all.length === 0) return undefined;
    const done = await Promise.all(consumers.map(doneBy));
    marks = withoutDone(marks, done, nowMs);
    return furthestBehind(all, done, nowMs);
  }

  async function doneBy({ name, recordAgeMsMax }: BehindOptions['consumers'][number]) {
    const done = new Map<string, SequenceNumber>();
    for (const { shardId, sequenceNumber } of await checkpoints.list({
      pipeline,
      consumer: name,
    })) {
      raise(done, shardId, sequenceNumber);
    }
    return { consumer: name, done, patienceMs: recordAgeMsMax } satisfies DoneSoFar;
  }
}

/** Lets the highest sequence number of a shard stand. */
function raise(
  highest: Map<string, SequenceNumber>,
  shardId: string,
  sequenceNumber: SequenceNumber,
): void {
  const before = highest.get(shardId);
  if (before === undefined || compareSequences(before, sequenceNumber) < 0) {
    highest.set(shardId, sequenceNumber);
  }
}

function detailOf({ consumer, shardId, ageMs }: Behind, boundMs: number): string {
  return `${consumer} is ${minutes(ageMs)} behind in ${shardId}; the bound is ${minutes(boundMs)}`;
}

function minutes(ms: number): string {
  return `${Math.floor(ms / 60_000)} min`;
}
