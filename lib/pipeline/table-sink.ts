/** Sink over a table of newest versions. */
import { newestFirst } from '#core/record/fold';
import type { Clock } from '#ports/clock';
import type { RecordTable } from '#ports/record-table';
import type { Sink } from '#ports/sink';
import { UNPACED } from './table-pace.ts';
import type { TablePace } from './table-pace.ts';

/** The newest version that the table can hold stands for its elders in the run. */
export function tableSink(table: RecordTable, clock: Clock, pace: TablePace = UNPACED): Sink {
  return {
    kind: 'table',
    keysMax: () => pace.keysMax(),
    async take(run, { startUntilMs, settle }) {
      const ranked = newestFirst([...run.entries()], ([, event]) => event);
      for (const [rank, [place, event]] of ranked.entries()) {
        if (rank > 0 && clock.nowMs() >= startUntilMs) return;
        const outcome = await pace.write(() => table.upsert(event), startUntilMs);
        await settle(place, outcome);
        if (outcome.kind === 'refused') continue;
        for (const [elder] of ranked.slice(rank + 1)) await settle(elder, { kind: 'folded' });
        return;
      }
    },
  };
}
