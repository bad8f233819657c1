/** Sinks for their contract, each over something that a test can let fail. */
import { handlerSink } from '#pipeline/handler-sink';
import { tableSink } from '#pipeline/table-sink';
import type { Handler } from '#ports/handler';
import type { OpenTable } from './record-table.contract.ts';
import type { SinkOpener } from './sink.contract.ts';

/** @param openTable makes a table that holds nothing. */
export function overTable(openTable: () => Promise<Pick<OpenTable, 'table' | 'read'>>): SinkOpener {
  return async (neighbour, clock) => {
    const { table, read } = await openTable();
    const watched: typeof table = {
      async upsert(event) {
        if ((await neighbour(event)) === 'well') return table.upsert(event);
        return { kind: 'refused', reason: 'item-too-large', detail: 'it is too large' };
      },
    };
    const sink = tableSink(watched, clock);
    return { sink, stands: async (key) => (await read(key))?.['n'] };
  };
}

/** A handler that has done all of what it was given, or nothing. */
export function overHandler(per: Handler['per']): SinkOpener {
  return async (neighbour, clock) => {
    const done = new Map<string, unknown>();
    const handler: Handler = {
      per,
      async handle(events) {
        for (const event of events) {
          if ((await neighbour(event)) === 'refused') {
            return { kind: 'refused', detail: 'it cannot be', eventId: event.id };
          }
        }
        for (const { subject, data } of events) done.set(subject, data['n']);
        return { kind: 'done' };
      },
    };
    const sink = handlerSink(handler, { clock, timer: () => () => undefined });
    return { sink, stands: async (key) => done.get(key) };
  };
}
