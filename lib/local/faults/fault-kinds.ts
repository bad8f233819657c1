/** Every fault that the local cloud can be told to make: what the parser, the plan and the page read. */

/** Where a fault can be aimed; what is not named is any (`*`). */
export type Target =
  | 'stream'
  | 'shard'
  | 'table'
  | 'operation'
  | 'service'
  | 'function'
  | 'schedule';

/** A number that a fault needs. */
export interface Measure {
  readonly means: string;
  readonly min: number;
  readonly isOptional?: boolean;
}

export interface FaultKind {
  /** What it does, as a sentence without its subject. */
  readonly does: string;
  readonly targets: readonly Target[];
  readonly measures?: Readonly<Record<string, Measure>>;
  /** At each request, entry, batch … that it fits; or at its moment, and never again. */
  readonly strikes: 'each' | 'once';
}

const FROM_HANDLER = 'milliseconds after the handler was entered';

export const FAULT_KINDS = {
  'throttle-entries': {
    does: 'answers entries of PutRecords, or a PutRecord, with ProvisionedThroughputExceededException',
    targets: ['stream'],
    strikes: 'each',
  },
  'refuse-entry': {
    does: 'answers one entry of PutRecords with InternalFailure',
    targets: ['stream'],
    measures: { entry: { means: 'its place in the request, from 0', min: 0 } },
    strikes: 'each',
  },
  'refuse-put': {
    does: 'refuses a whole put: nothing of it is written',
    targets: ['stream'],
    strikes: 'each',
  },
  'lose-put-answer': {
    does: 'writes a put and cuts the connection instead of answering',
    targets: ['stream'],
    strikes: 'each',
  },
  'throttle-read': {
    does: 'answers GetRecords with ProvisionedThroughputExceededException',
    targets: ['stream', 'shard'],
    strikes: 'each',
  },
  'expire-iterator': {
    does: 'answers GetRecords with ExpiredIteratorException',
    targets: ['stream', 'shard'],
    strikes: 'each',
  },
  'split-shard': {
    does: 'splits a shard (any: the first that is open) in the middle',
    targets: ['stream', 'shard'],
    strikes: 'once',
  },
  'merge-shards': {
    does: 'merges a shard (any: the first that is open) with its neighbour',
    targets: ['stream', 'shard'],
    strikes: 'once',
  },
  'throttle-table': {
    does: 'answers a request on a table with ProvisionedThroughputExceededException',
    targets: ['table', 'operation'],
    strikes: 'each',
  },
  'lose-table-answer': {
    does: 'does what a request on a table asks and cuts the connection instead of answering',
    targets: ['table', 'operation'],
    strikes: 'each',
  },
  'unprocessed-item': {
    does: 'answers items of BatchWriteItem, or keys of BatchGetItem, as unprocessed',
    targets: ['table'],
    measures: {
      item: {
        means: 'its place among the table’s, from 0; any unless given',
        min: 0,
        isOptional: true,
      },
    },
    strikes: 'each',
  },
  'error-before': {
    does: 'answers a request with a 500, its work not done',
    targets: ['service', 'operation'],
    strikes: 'each',
  },
  'error-after': {
    does: 'answers a request with a 500, its work done',
    targets: ['service', 'operation'],
    strikes: 'each',
  },
  'cut-before': {
    does: 'cuts the connection of a request, its work not done',
    targets: ['service', 'operation'],
    strikes: 'each',
  },
  'cut-after': {
    does: 'cuts the connection of a request, its work done',
    targets: ['service', 'operation'],
    strikes: 'each',
  },
  'cut-amid': {
    does: 'cuts the connection of a request amid the answer, its work done',
    targets: ['service', 'operation'],
    strikes: 'each',
  },
  hang: {
    does: 'does what a request asks and never answers',
    targets: ['service', 'operation'],
    strikes: 'each',
  },
  delay: {
    does: 'keeps a request waiting before its work is done',
    targets: ['service', 'operation'],
    measures: { delayMs: { means: 'milliseconds by the cloud’s clock', min: 0 } },
    strikes: 'each',
  },
  'kill-function': {
    does: 'kills the process of an invocation',
    targets: ['function'],
    measures: { intoMs: { means: FROM_HANDLER, min: 0 } },
    strikes: 'each',
  },
  'freeze-function': {
    does: 'stops the process of an invocation for ever, so that it times out',
    targets: ['function'],
    measures: { intoMs: { means: FROM_HANDLER, min: 0 } },
    strikes: 'each',
  },
  'skew-clock': {
    does: 'lets the process of an invocation believe that it is later, or earlier',
    targets: ['function'],
    measures: { skewMs: { means: 'milliseconds; less than 0 is earlier', min: -Infinity } },
    strikes: 'each',
  },
  'deliver-again': {
    does: 'delivers a batch that was finished once more',
    targets: ['function', 'shard'],
    strikes: 'each',
  },
  'withhold-batch': {
    does: 'does not deliver a batch yet; it is asked again for each, about once a second',
    targets: ['function', 'shard'],
    strikes: 'each',
  },
  'lose-tick': {
    does: 'drops a tick of a schedule: its function cannot be called, however often it is tried',
    targets: ['schedule'],
    strikes: 'each',
  },
  'double-tick': {
    does: 'delivers a tick of a schedule twice',
    targets: ['schedule'],
    strikes: 'each',
  },
} as const satisfies Readonly<Record<string, FaultKind>>;

/** When a fault strikes; of all kinds. */
export const FAULT_TIMING = {
  times: { means: 'how often at most', min: 1, max: Infinity, isWhole: true },
  share: {
    means: 'of what it fits, how much is struck, by chance',
    min: 0,
    max: 1,
    isWhole: false,
  },
  afterMs: {
    means: 'from when it was added, by the cloud’s clock, it does nothing for so long',
    min: 0,
    max: Infinity,
    isWhole: false,
  },
  forMs: {
    means: 'and then it strikes for so long, and never again',
    min: 0,
    max: Infinity,
    isWhole: false,
  },
} as const;
