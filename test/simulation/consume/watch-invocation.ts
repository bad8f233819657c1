/** Follows one invocation and holds what it does, says and answers against the world. */
import type { CheckpointPlace } from '#ports/checkpoint-store';
import type { BreakerMark } from '#ports/breaker-store';
import type { UpsertOutcome } from '#ports/record-table';
import type { Passage } from '#ports/sink';
import type { HandlerEnd } from '#ports/handler';
import type { StreamEvent } from '#core/record/stream-event';
import type { StoredRecord } from '#core/record/records';
import type { TelemetryEvent } from '#core/telemetry-event';
import type { ConsumeResult } from '#pipeline/consume';
import type { Content } from './contents.ts';
import type { Delivered } from './simulated-shards.ts';
import type { Truth } from './truth.ts';

export interface InvocationAsk {
  readonly sinkKind: 'table' | 'handler-per-record' | 'handler-per-key';
  readonly batch: readonly Delivered[];
  readonly passage: Passage;
  readonly code: string;
  readonly concurrency: number;
  readonly startUntilMs: number;
  /** Numbers of what the process did, this invocation too: a handler is not given them again. */
  readonly done: Set<number>;
}

export interface InvocationWatch {
  /** It timed out or crashed: the mapping goes on without it. */
  isLeft(): void;
  isAwaited(): boolean;
  asksTime(nowMs: number): void;
  /** Its time is over by the timer, whatever the clock says since. */
  timerRings(): void;
  writeBegins(content: Content): void;
  writeEnds(content: Content, outcome: UpsertOutcome['kind'] | 'failed'): void;
  handBegins(events: readonly StreamEvent[]): void;
  handEnds(events: readonly StreamEvent[], end: HandlerEnd | 'failed'): void;
  keepBegins(place: string): void;
  keepEnds(place: string, how: 'kept' | 'failed'): void;
  saves(place: CheckpointPlace): void;
  touchesMark(): void;
  seesMark(mark: BreakerMark): void;
  opensMark(): void;
  failsAtMark(): void;
  reports(event: TelemetryEvent): void;
  completes(result: ConsumeResult): void;
}

export function watchInvocation(truth: Truth, ask: InvocationAsk): InvocationWatch {
  const { check, note } = truth;
  const { sinkKind, batch, passage, code, concurrency, startUntilMs } = ask;
  const writing = new Set<string>();
  const keeping = new Set<string>();
  /** Of each key: its last write, and how that ended. */
  const last = new Map<string, { rank: number; end: UpsertOutcome['kind'] | 'failed' }>();
  const keepFailed = new Set<string>();
  const keptOnce = new Set<string>();
  const events: TelemetryEvent[] = [];
  const known = new Set(ask.done);
  /** Of each key: what a handler must be given next, in this order. */
  const isKnown = ({ content }: Delivered) => passage === 'stream' && known.has(content.number);
  const waiting = Map.groupBy(
    batch.filter((one) => one.content.key !== undefined && !isKnown(one)),
    ({ content }) => content.key ?? '',
  );
  let isLate = false;
  let isHeld = false;
  let markFailed = false;
  let isAwaited = true;

  return {
    isLeft() {
      isAwaited = false;
    },
    isAwaited: () => isAwaited,
    timerRings() {
      isLate = true;
    },
    asksTime(nowMs) {
      isLate ||= nowMs >= startUntilMs;
    },
    writeBegins({ key = '', rank }) {
      keyBegins(key);
      const before = last.get(key);
      if (before === undefined) return;
      const isAgain = before.end === 'failed' && before.rank === rank;
      const isNext = before.end === 'refused' && rank <= before.rank;
      check(isAgain || isNext, 'law 3: one write of the newest, then only what a refusal leaves');
    },
    writeEnds({ key = '', rank }, end) {
      writing.delete(key);
      last.set(key, { rank, end });
    },
    handBegins(events) {
      const key = events[0]?.subject ?? '';
      keyBegins(key);
      check(last.get(key)?.end !== 'failed', 'law 3: after a failure of its key nothing is begun');
      const next = (waiting.get(key) ?? []).filter(({ record }) => !keptOnce.has(placeOf(record)));
      check(
        events.length === (sinkKind === 'handler-per-record' ? 1 : next.length),
        'a handler is given a record, or what is left of its key',
      );
      for (const [at, event] of events.entries()) {
        check(next[at]?.content === truth.contentOf(event), 'law 3: events come in their order');
      }
    },
    handEnds(events, end) {
      const key = events[0]?.subject ?? '';
      writing.delete(key);
      if (end === 'failed') last.set(key, { rank: 0, end });
      else if (end.kind === 'done') {
        for (const event of events) ask.done.add(truth.contentOf(event).number);
        const left = (waiting.get(key) ?? []).filter(
          ({ record }) => !keptOnce.has(placeOf(record)),
        );
        waiting.set(key, left.slice(events.length));
      }
    },
    keepBegins(place) {
      check(!keeping.has(place), 'law 5: a record is set aside once at a time');
      if (keeping.size > 0) note('several set aside at once');
      check(!keptOnce.has(place), 'law 5: a record that is kept is not set aside again');
      check(!isHeld, 'law 6: what found the breaker open sets nothing aside');
      keeping.add(place);
    },
    keepEnds(place, how) {
      keeping.delete(place);
      if (how === 'kept') keptOnce.add(place);
      else keepFailed.add(place);
    },
    saves({ shardId, sequenceNumber, reach }) {
      check(passage === 'stream', 'out of turn no checkpoint moves');
      check(truth.reaches(shardId, BigInt(sequenceNumber), reach), 'law 4: a checkpoint is true');
    },
    touchesMark: () => check(passage === 'stream', 'out of turn no breaker moves'),
    seesMark({ open }) {
      if (open?.code === code) isHeld = true;
    },
    opensMark() {
      isHeld = true;
    },
    failsAtMark() {
      markFailed = true;
    },
    reports: (event) => void events.push(event),
    completes(result) {
      checkConservation(result);
      checkAnswer(result);
      for (const [place, delivered] of batch.entries()) {
        if (result.ends[place] === 'returned') checkCause(delivered);
        else checkEnd(delivered, result.ends[place]);
      }
    },
  };

  function keyBegins(key: string): void {
    check(!writing.has(key), 'law 3: writes of one key do not overlap');
    writing.add(key);
    check(writing.size <= concurrency, 'keys in flight are bounded');
    if (concurrency > 1 && writing.size === concurrency) note('as many keys in flight as agreed');
  }

  function checkConservation({ ends }: ConsumeResult): void {
    const told = events.filter((one) => one.event === 'BatchConsumed');
    check(told.length === 1, 'law 7: a completed invocation says so once');
    const [one] = told;
    if (one === undefined) return;
    const { received, written, stale, folded, refused, returned } = one;
    const bytes = batch.reduce((sum, { content }) => sum + content.bytes.byteLength, 0);
    check(received === batch.length && one.receivedBytes === bytes, 'law 7: all are received');
    check(
      received === written + stale + folded + refused + returned,
      'law 7: received = written + stale + folded + refused + returned',
    );
    for (const [end, count] of Object.entries({ written, stale, folded, refused, returned })) {
      const counted = ends.filter((one) => one === end).length;
      check(counted === count, `law 7: ${end} is counted as answered`);
      if (count > 0) note(`end ${end}`);
    }
    check(isHeld || !one.held, 'it says held only where it found it open');
    if (one.held) note('held by the breaker');
    if (one.outOfTime) note('out of time');
  }

  function checkAnswer({ ends, resumeAt }: ConsumeResult): void {
    check(ends.length === batch.length, 'each record has an end');
    let lowest: bigint | undefined;
    for (const [place, { record }] of batch.entries()) {
      const at = BigInt(record.sequenceNumber);
      if (ends[place] === 'returned' && (lowest === undefined || at < lowest)) lowest = at;
    }
    check(resumeAt === lowest?.toString(), 'law 4: the answer names the lowest unfinished');
  }

  function checkEnd(delivered: Delivered, end: string | undefined): void {
    if (end === 'refused') {
      check(truth.isKept(delivered), 'law 5: what is refused rests in quarantine');
      check(truth.mayBeKept(delivered), 'law 5: only what cannot succeed is refused');
    } else {
      if (sinkKind !== 'table') {
        check(end === (isKnown(delivered) ? 'stale' : 'written'), 'a handler did it, or had');
        if (end === 'stale') note('done before by the same process');
      }
      if (truth.isKept(delivered)) note('kept aside, and stored after a deploy');
      check(truth.isDone(delivered), `law 1: what is ${end} stands, or a newer one does`);
    }
  }

  /** A failing key or record costs only itself. */
  function checkCause(one: Delivered): void {
    const { key } = one.content;
    const isStuck = cannotBeKept(one) || (sinkKind !== 'table' && isBehindStuck(one));
    const end = last.get(key ?? '')?.end;
    const isWritten = end === 'written' || end === 'stale';
    check(
      isStuck || !isWritten,
      'law 5: what was written is not returned, whatever became of others',
    );
    check(
      isLate || end === 'failed' || isStuck,
      'law 5: a record is returned only for what it met',
    );
  }

  function cannotBeKept({ content, record }: Delivered): boolean {
    const isRefused = content.key === undefined || content.isLarge;
    return isRefused && (markFailed || isHeld || keepFailed.has(placeOf(record)));
  }

  /** A handler is given nothing while an earlier event of its key is unfinished. */
  function isBehindStuck({ content: { key } }: Delivered): boolean {
    return batch.some((other) => other.content.key === key && cannotBeKept(other));
  }
}

function placeOf({ shardId, sequenceNumber }: StoredRecord): string {
  return `${shardId}-${sequenceNumber}`;
}
