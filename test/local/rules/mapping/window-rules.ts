import type { Rules } from '#test/local/rules/rule';

const WINDOWS = 'lambda/latest/dg/services-kinesis-windows';

/** Tumbling windows, and their state. */
export const WINDOW_RULES = {
  'window-event': {
    rule: 'An event of a tumbling window has window, state, shardId, eventSourceARN and both flags beside its records',
    limit: '0, for none, to 900 s',
    source: `${WINDOWS}, example event`,
  },
  'window-edge': {
    rule: 'A record is of the window it arrived in, and no batch reaches over a window’s edge',
    source: WINDOWS,
  },
  'window-epoch': {
    rule: 'Windows are counted from the epoch',
    source: 'the example’s window of 120 s begins on an even minute; AWS says no more',
    isOurChoice: true,
  },
  'window-state': {
    rule: 'The state that an invocation answers is handed to the next of its window and shard, and a new window begins with {}',
    source: WINDOWS,
  },
  'window-needs-state': {
    rule: 'An answer without state is a failed invocation',
    source: WINDOWS,
  },
  'window-final': {
    rule: 'A window ends with an invocation that has its state, isFinalInvokeForWindow, and no records',
    source: `${WINDOWS}; that its records are none is ours`,
  },
  'window-final-idle': {
    rule: 'A window that gets no more records ends when its time is over, if the mapping is not faithful',
    source: '"Lambda waits for up to 2 minutes": here no record can come that has arrived before',
    isOurChoice: true,
  },
  'window-final-faithful': {
    rule: 'A faithful mapping waits two minutes for more records of a window',
    limit: '2 min',
    source: WINDOWS,
  },
  'window-final-retried': {
    rule: 'A final invocation that fails is tried until it succeeds, and its shard waits',
    source: WINDOWS,
  },
  'window-empty': {
    rule: 'A window without records has no invocation',
    source: 'there is no state to hand over',
    isOurChoice: true,
  },
  'window-early': {
    rule: 'A window whose state grows too large ends early: isWindowTerminatedEarly',
    limit: '1 MB a shard',
    source: WINDOWS,
  },
  'window-after-early': {
    rule: 'After an early end the rest of the window begins with {} again',
    source: 'AWS says that the window is terminated, and not what becomes of its later records',
    isOurChoice: true,
  },
  'window-shard-end': {
    rule: 'The end of a shard ends its window, and its children begin with a state of their own',
    source: WINDOWS,
  },
  'window-retries': {
    rule: 'A failed batch of a window is tried and given up as any other, and leaves the state as it was',
    source: `${WINDOWS}: "fully support the existing retry policies"`,
  },
  'window-report': {
    rule: 'A report of later failures keeps the state that came with it',
    source: 'it is the state after the records that were done',
    isOurChoice: true,
  },
  'window-bisect': {
    rule: 'Halves of a split batch hand the state on from the first to the second',
    source: 'they are invocations of one window, one after the other',
    isOurChoice: true,
  },
  'window-again': {
    rule: 'A batch that is delivered once more has the state of its first time',
    source: 'its first answer was not kept',
    isOurChoice: true,
  },
  'window-restart': {
    rule: 'A window’s state outlives a restart, with the place that it is of',
    source: 'AWS’s mappings do not restart; a state without its place would count records twice',
    isOurChoice: true,
  },
  'window-batching': {
    rule: 'A batching window ends with its tumbling window',
    source: 'a batch that waited on would have to reach over the edge',
    isOurChoice: true,
  },
  'window-one-lane': {
    rule: 'A tumbling window with a ParallelizationFactor above 1 is refused',
    source: 'the state is one per shard; AWS says nothing of both at once',
    isOurChoice: true,
  },
  'window-removed': {
    rule: 'A window that is open when its mapping is changed to have none ends first',
    source: 'its state would be lost',
    isOurChoice: true,
  },
} as const satisfies Rules;
