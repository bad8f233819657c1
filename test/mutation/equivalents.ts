/** Mutants that no test can tell from the original, each with the reason. */

export interface Mutant {
  readonly file: string;
  /** Where it begins, without its indent. */
  readonly line: string;
  readonly original: string;
  readonly replacement: string;
}

interface Reason {
  readonly reason: string;
  readonly file: string;
  readonly line: string;
  /** Pieces of the line, and what each became. */
  readonly changes: readonly (readonly [string, string])[];
}

const REASONS: readonly Reason[] = [
  {
    reason: 'When what was taken is forgotten changes memory and time, never what the run answers.',
    file: 'lib/core/batch/sorted-run.ts',
    line: 'if (head >= FORGET_FROM && head * 2 > entries.length) forget();',
    changes: [
      ['head >= FORGET_FROM && head * 2 > entries.length', 'true'],
      ['head >= FORGET_FROM && head * 2 > entries.length', 'false'],
      [
        'head >= FORGET_FROM && head * 2 > entries.length',
        'head >= FORGET_FROM || head * 2 > entries.length',
      ],
      ['head >= FORGET_FROM', 'true'],
      ['head >= FORGET_FROM', 'head > FORGET_FROM'],
      ['head >= FORGET_FROM', 'head < FORGET_FROM'],
      ['head * 2 > entries.length', 'true'],
      ['head * 2 > entries.length', 'head * 2 >= entries.length'],
    ],
  },
  {
    reason:
      'Merging does what appending does, and takes longer; and no two entries have one place.',
    file: 'lib/core/batch/sorted-run.ts',
    line: 'if (last === undefined || last.place < entry.place) entries.push(entry);',
    changes: [
      ['last === undefined || last.place < entry.place', 'false'],
      ['last.place < entry.place', 'false'],
      ['last.place < entry.place', 'last.place <= entry.place'],
    ],
  },
  {
    reason: 'Into the first call goes nothing: what is in it is of no shard.',
    file: 'lib/core/batch/cut-calls.ts',
    line: 'let [call, bytes]: [StoredRecord[], number] = [[], 0];',
    changes: [['[]', '["Stryker was here"]']],
  },
  {
    reason: 'Every entry has a rank.',
    file: 'lib/core/batch/redrive-order.ts',
    line: "const rank = (entry: T): string => ranks.get(entry) ?? '';",
    changes: [["''", '"Stryker was here!"']],
  },
  {
    reason: 'At one position there is one record.',
    file: 'lib/core/batch/redrive-order.ts',
    line: 'return entries.toSorted((one, other) => (rank(one) < rank(other) ? -1 : 1));',
    changes: [['rank(one) < rank(other)', 'rank(one) <= rank(other)']],
  },
  {
    reason: 'What may be empty is found at the start.',
    file: 'lib/core/batch/redrive-order.ts',
    line: String.raw`return shardId.replace(/^\D*/, '').padStart(DIGITS, '0');`,
    changes: [[String.raw`/^\D*/`, String.raw`/\D*/`]],
  },
  {
    reason: 'The id of a shard begins with a letter.',
    file: 'lib/core/partition/plan-replay.ts',
    line: String.raw`return /^\d+$/.test(asked) && Number(shardId.replace(/^\D+/, '')) === Number(asked);`,
    changes: [[String.raw`/^\D+/`, String.raw`/\D+/`]],
  },
  {
    reason: 'A child that is not among the shards never becomes ready.',
    file: 'lib/core/partition/lineage-walk.ts',
    line: 'for (const parent of parents) children.set(parent, [...(children.get(parent) ?? []), shardId]);',
    changes: [['[]', '["Stryker was here"]']],
  },
  {
    reason: 'A child that is not among the shards never becomes ready.',
    file: 'lib/core/partition/lineage-walk.ts',
    line: 'for (const child of children.get(shardId) ?? []) {',
    changes: [['[]', '["Stryker was here"]']],
  },
  {
    reason: 'Nobody asks how many lines hold nothing.',
    file: 'lib/core/batch/key-lines.ts',
    line: 'const lengths: number[] = [];',
    changes: [['[]', '["Stryker was here"]']],
  },
  {
    reason: 'The lane that is named is there: an empty one is deleted.',
    file: 'lib/core/batch/publish-queue.ts',
    line: 'const entry = run?.first();',
    changes: [['run?.first', 'run.first']],
  },
  {
    reason: 'The lane that is named is there: an empty one is deleted.',
    file: 'lib/core/batch/publish-queue.ts',
    line: 'run?.shift();',
    changes: [['run?.shift', 'run.shift']],
  },
  {
    reason: 'The lane that is named is there: an empty one is deleted.',
    file: 'lib/core/batch/publish-queue.ts',
    line: 'if (run?.length() === 0) inLanes.delete(lane);',
    changes: [['run?.length', 'run.length']],
  },
  {
    reason: 'No lane is empty, and no two entries have one place.',
    file: 'lib/core/batch/publish-queue.ts',
    line: 'if (first === undefined || first.place > place || shut.has(lane)) continue;',
    changes: [
      ['first === undefined', 'false'],
      ['first.place > place', 'first.place >= place'],
    ],
  },
  {
    reason: 'It is shifted after its first was seen.',
    file: 'lib/core/batch/publish-queue.ts',
    line: 'readyBytes -= ready.shift()?.record.bytes ?? 0;',
    changes: [['ready.shift()?.record', 'ready.shift().record']],
  },
  {
    reason: 'Making nothing ready changes nothing.',
    file: 'lib/core/batch/publish-queue.ts',
    line: 'if (again.length > 0) makeReady(again);',
    changes: [
      ['again.length > 0', 'true'],
      ['again.length > 0', 'again.length >= 0'],
    ],
  },
  {
    reason: 'Two shards that begin alike overlap, in either order.',
    file: 'lib/core/partition/hash-ring.ts',
    line: 'const ranges = open.toSorted((a, b) => (a.startingHashKey < b.startingHashKey ? -1 : 1));',
    changes: [['a.startingHashKey < b.startingHashKey', 'a.startingHashKey <= b.startingHashKey']],
  },
  {
    reason:
      'With a record to spare the wait comes out at none or less, and the other at none at least.',
    file: 'lib/core/partition/shard-pace.ts',
    line: 'records >= 1 ? 0 : ((1 - records) * MS_PER_SEC) / (share * limits.recordsPerSec);',
    changes: [
      ['records >= 1', 'false'],
      ['records >= 1', 'records > 1'],
    ],
  },
];

export const EQUIVALENTS: readonly Mutant[] = REASONS.flatMap(({ file, line, changes }) =>
  changes.map(([original, replacement]) => ({ file, line, original, replacement })),
);
