/** Sink over a table of newest versions. */
import { inLayers } from '#core/record/fold';
import type { StreamEvent } from '#core/record/stream-event';
import type { Clock } from '#ports/clock';
import type { RecordTable } from '#ports/record-table';
import type { Delivery, Sink } from '#ports/sink';
import { UNPACED } from './table-pace.ts';
import type { TablePace } from './table-pace.ts';

/** The newest version that the table can hold stands for its elders in the run. */
export function tableSink(table: RecordTable, clock: Clock, pace: TablePace = UNPACED): Sink {
  return {
    kind: 'table',
    keysMax: pace.keysMax,
    async take(run, turn) {
      const { startUntilMs } = turn;
      let isBegun = false;
      for (const ranked of inLayers(run, eventOf)) {
        for (const [rank, { place, event }] of ranked.entries()) {
          if (isBegun && clock.nowMs() >= startUntilMs) return;
          isBegun = true;
          const outcome = await pace.write(() => table.upsert(event), startUntilMs);
          if (outcome.kind === 'refused') await turn.refuse(place, outcome);
          else {
            turn.finish(place, outcome.kind);
            for (const elder of ranked.slice(rank + 1)) turn.finish(elder.place, 'folded');
            break;
          }
        }
      }
    },
  };
}

function eventOf({ event }: Delivery): StreamEvent {
  return event;
}
