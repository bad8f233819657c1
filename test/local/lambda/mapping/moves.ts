/** What a function does with a call, as data. */
import { DONE, failing, THROTTLED, THROWN } from './mapping-bench.ts';
import type { Call } from './mapping-bench.ts';

/** `at` picks a record of the call. */
export type Move =
  | { readonly kind: 'done' | 'thrown' | 'throttled' | 'unknown' }
  | { readonly kind: 'partial'; readonly at: number };

export function answerTo(call: Call, made: Move) {
  switch (made.kind) {
    case 'done':
      return DONE;
    case 'thrown':
      return THROWN;
    case 'throttled':
      return THROTTLED;
    case 'unknown':
      return failing('999999');
    case 'partial':
      return failing(call.sequenceNumbers[made.at % call.sequenceNumbers.length]);
  }
}
