/** What one process works with: every call is watched, and goes over its line. */
import type { MemoryRecordTable } from '#adapters/memory/record-table';
import type { StreamEvent } from '#core/record/stream-event';
import type { ConsumePorts } from '#pipeline/consume-options';
import { handlerSink } from '#pipeline/handler-sink';
import { tablePace } from '#pipeline/table-pace';
import { tableSink } from '#pipeline/table-sink';
import type { BreakerStore } from '#ports/breaker-store';
import type { CheckpointStore } from '#ports/checkpoint-store';
import type { Clock } from '#ports/clock';
import type { Handler, HandlerEnd } from '#ports/handler';
import type { Quarantine } from '#ports/quarantine';
import type { RecordTable, UpsertOutcome } from '#ports/record-table';
import type { Sink } from '#ports/sink';
import type { Timer } from '#ports/timer';
import { OF } from './of-consumer.ts';
import type { Truth } from './truth.ts';
import type { Call, LineWorld } from './unsteady-line.ts';
import type { InvocationWatch } from './watch-invocation.ts';

export interface Code {
  readonly name: string;
  /** False: what is large is refused for good. */
  readonly takesLarge: boolean;
  readonly concurrency: number;
}

export interface Neighbours {
  readonly table: MemoryRecordTable;
  readonly quarantine: Quarantine;
  readonly checkpoints: CheckpointStore;
  readonly marks: BreakerStore;
}

export interface WatchedWorld extends LineWorld {
  readonly sinkKind: 'table' | 'handler-per-record' | 'handler-per-key';
  readonly neighbours: Neighbours;
  readonly truth: Truth;
}

export interface ProcessAsk {
  readonly code: Code;
  /** Other code is deployed since. */
  isReplaced(): boolean;
  readonly call: Call;
  /** Of the invocation that it has. */
  watched(): InvocationWatch;
  readMs(): number;
}

export function watchedPorts(world: WatchedWorld, process: ProcessAsk): ConsumePorts {
  const { time, note, neighbours } = world;
  const { call, watched, readMs } = process;
  const nowMs = (): number => {
    const at = readMs();
    watched().asksTime(at);
    return at;
  };
  const clock = { nowMs, sleep: time.sleep };
  const report: ConsumePorts['report'] = (event) => {
    note(event.event);
    watched().reports(event);
  };
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  return {
    sink: sinkOf(world, process, { clock, report }),
    quarantine: quarantineOf(world, process),
    checkpoints: {
      save(place, done) {
        watched().saves(place);
        note(`checkpoint ${place.reach}`);
        return call('checkpoints', () => neighbours.checkpoints.save(place, done));
      },
    },
    marks: marksOf(world, process),
    report,
    clock,
    decodeText: (bytes) => decoder.decode(bytes),
  };
}

function sinkOf(
  world: WatchedWorld,
  process: ProcessAsk,
  { clock, report }: { readonly clock: Clock; readonly report: ConsumePorts['report'] },
): Sink {
  const { sinkKind, time, dice } = world;
  if (sinkKind === 'table') {
    const { concurrency } = process.code;
    const pace = tablePace({ ...OF, concurrency }, { clock, chance: dice.roll, report });
    return tableSink(tableOf(world, process), clock, pace);
  }
  const timer: Timer = (durationMs, ring) => {
    let isOff = false;
    const watch = process.watched();
    void time.sleep(durationMs).then(() => {
      if (isOff) return;
      watch.timerRings();
      ring();
    });
    return () => (isOff = true);
  };
  const per = sinkKind === 'handler-per-key' ? 'key' : 'record';
  return handlerSink(handlerOf(world, process, per), { clock, timer });
}

function tableOf(world: WatchedWorld, process: ProcessAsk): RecordTable {
  const { neighbours, truth } = world;
  return {
    async upsert(event) {
      const content = truth.contentOf(event);
      const watch = process.watched();
      watch.writeBegins(content);
      const write = async (): Promise<UpsertOutcome> => {
        if (content.isLarge && !process.code.takesLarge)
          return { kind: 'refused', reason: 'item-too-large', detail: 'it is' };
        const outcome = await neighbours.table.upsert(event);
        truth.wrote(event.subject);
        noteWho(world, process, { watch, what: outcome.kind });
        return outcome;
      };
      try {
        const outcome = await process.call('table', write);
        watch.writeEnds(content, outcome.kind);
        return outcome;
      } catch (error) {
        watch.writeEnds(content, 'failed');
        throw error;
      }
    },
  };
}

/** Does what it is given from the first on, until one is refused. */
function handlerOf(world: WatchedWorld, process: ProcessAsk, per: Handler['per']): Handler {
  const { truth } = world;
  return {
    per,
    async handle(events, { signal }) {
      const watch = process.watched();
      watch.handBegins(events);
      let isOpen = true;
      const end = (how: HandlerEnd | 'failed'): void => {
        if (isOpen) watch.handEnds(events, how);
        isOpen = false;
      };
      truth.check(!signal.aborted, 'a handler is called while it has time');
      signal.addEventListener('abort', () => end('failed'), { once: true });
      const work = async (): Promise<HandlerEnd> => {
        const isRefused = (event: StreamEvent) =>
          truth.contentOf(event).isLarge && !process.code.takesLarge;
        const refused = events.find(isRefused);
        const eventId = refused?.id;
        if (refused !== undefined) return { kind: 'refused', detail: 'it is large', eventId };
        truth.handed(events);
        noteWho(world, process, { watch, what: 'handed' });
        return { kind: 'done' };
      };
      try {
        const how = await process.call('handler', work);
        end(how);
        return how;
      } catch (error) {
        end('failed');
        throw error;
      }
    },
  };
}

function noteWho(
  { note }: WatchedWorld,
  { isReplaced }: ProcessAsk,
  { watch, what }: { readonly watch: InvocationWatch; readonly what: string },
): void {
  if (isReplaced()) note(`${what} by code from before a deploy`);
  if (!watch.isAwaited()) note(`${what} after nobody waits any more`);
}

function quarantineOf({ neighbours, truth }: WatchedWorld, process: ProcessAsk): Quarantine {
  return {
    async put(refused) {
      const watch = process.watched();
      watch.keepBegins(refused.place);
      try {
        await process.call('quarantine', async () => {
          await neighbours.quarantine.put(refused);
          truth.kept(refused);
        });
        watch.keepEnds(refused.place, 'kept');
      } catch (error) {
        watch.keepEnds(refused.place, 'failed');
        throw error;
      }
    },
  };
}

function marksOf({ neighbours }: WatchedWorld, { call, watched }: ProcessAsk): BreakerStore {
  const at = async <T>(watch: InvocationWatch, work: () => Promise<T>): Promise<T> => {
    watch.touchesMark();
    try {
      return await call('marks', work);
    } catch (error) {
      watch.failsAtMark();
      throw error;
    }
  };
  return {
    async read(of) {
      const watch = watched();
      const mark = await at(watch, () => neighbours.marks.read(of));
      watch.seesMark(mark);
      return mark;
    },
    async open(of, breaker) {
      const watch = watched();
      await at(watch, () => neighbours.marks.open(of, breaker));
      watch.opensMark();
    },
    close: (of, how) => at(watched(), () => neighbours.marks.close(of, how)),
  };
}
