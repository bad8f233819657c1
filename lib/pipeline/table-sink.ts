/** Sink over a table of newest versions. */
import { newestFirst } from '#core/record/fold';
import type { Clock } from '#ports/clock';
import type { RecordTable } from '#ports/record-table';
import type { Sink } from '#ports/sink';

/** The newest version that the table can hold stands for its elders in the run. */
export function tableSink(table: RecordTable, clock: Clock): Sink {
  return {
    kind: 'table',
    async take(run, { startUntilMs, settle }) {
      const ranked = newestFirst([...run.entries()], ([, event]) => event);
      for (const [rank, [place, event]] of ranked.entries()) {
        if (rank > 0 && clock.nowMs() >= startUntilMs) return;
        const outcome = await table.upsert(event);
        await settle(place, outcome);
        if (outcome.kind === 'refused') continue;
        for (const [elder] of ranked.slice(rank + 1)) await settle(elder, { kind: 'folded' });
        return;
      }
    },
  };
}
