/** Until when a source is to be left alone, as any answer of a poll has said, of whichever feed. */
import type { Clock } from '#ports/clock';
import type { LeaseKeeper } from './poll-lease.ts';

export interface SourceQuiet {
  /** Never earlier than what was heard before: no answer shortens what another said. */
  hold(untilMs: number): void;
  /** 0 where nothing was heard. */
  untilMs(): number;
  /** Milliseconds from now; 0 where the source may be asked. */
  leftMs(): number;
}

export function sourceQuiet(clock: Clock): SourceQuiet {
  let untilMs = 0;
  return {
    hold: (heardMs) => void (untilMs = Math.max(untilMs, heardMs)),
    untilMs: () => untilMs,
    leftMs: () => Math.max(0, untilMs - clock.nowMs()),
  };
}

/** A keeper whose every save says how long the source is quiet; what none has said is saved at the end. */
export function quietKeeper(keeper: LeaseKeeper, quiet: SourceQuiet): LeaseKeeper {
  let keptMs = 0;

  const save: LeaseKeeper['save'] = async (state) => {
    const quietMs = quiet.leftMs() > 0 ? quiet.untilMs() : 0;
    const notBeforeMs = Math.max(state.notBeforeMs, quietMs);
    const isSaved = await keeper.save({ ...state, notBeforeMs });
    if (isSaved) keptMs = notBeforeMs;
    return isSaved;
  };

  return {
    ...keeper,
    save,
    async release(end) {
      // Whatever the poll ends with is more than that this was not saved.
      if (quiet.leftMs() > 0 && quiet.untilMs() > keptMs) {
        await save({ cursor: undefined, notBeforeMs: 0 }).catch(() => false);
      }
      await keeper.release(end);
    },
  };
}
