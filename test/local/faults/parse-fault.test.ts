import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { FAULT_KINDS, FAULT_TIMING } from '#local/faults/fault-kinds';
import type { FaultKind } from '#local/faults/fault-kinds';
import { parseFault, parseFaults } from '#local/faults/parse-fault';

const kinds = Object.entries(FAULT_KINDS) as [string, FaultKind][];

/** A fault of the kind, with all that it may have. */
const whole = ([kind, { targets, measures = {}, strikes }]: [string, FaultKind]) =>
  fc.record({
    kind: fc.constant(kind),
    ...Object.fromEntries(targets.map((target) => [target, fc.constantFrom('a-name', '*')])),
    ...Object.fromEntries(Object.keys(measures).map((name) => [name, fc.nat()])),
    afterMs: fc.double({ min: 0, max: 1e9, noNaN: true }),
    ...(strikes === 'each'
      ? {
          times: fc.integer({ min: 1 }),
          share: fc.double({ min: 0, max: 1, noNaN: true }),
          forMs: fc.nat(),
        }
      : {}),
  });

test('every fault that the table describes is read as it is', () => {
  fc.assert(
    fc.property(fc.constantFrom(...kinds).chain(whole), (fault) => {
      expect(parseFault(fault)).toEqual(fault);
    }),
  );
});

test('what is not needed may be left out', () => {
  for (const [kind, { measures = {} }] of kinds) {
    const needed = Object.entries(measures).filter(([, measure]) => measure.isOptional !== true);
    const fault = { kind, ...Object.fromEntries(needed.map(([name]) => [name, 3])) };
    expect(parseFault({ ...fault, afterMs: undefined }, kind)).toEqual(fault);
  }
});

describe('what is wrong is told with its place, and what would be right', () => {
  const cases: [unknown, string | RegExp][] = [
    [7, "the fault is 7: it must be an object with a kind, as { kind: 'lose-tick' }."],
    [[], /^the fault is \[\]: it must be an object/],
    [{}, /^the fault\.kind is missing: it must be one of throttle-entries, refuse-entry,/],
    [{ kind: 'explode' }, /^the fault\.kind is "explode": it must be one of .*double-tick\.$/],
    [{ kind: 'toString' }, /^the fault\.kind is "toString": it must be one of/],
    [
      { kind: 'lose-tick', table: 'rows' },
      'the fault.table is no member of lose-tick: it has schedule, times, share, afterMs, forMs.',
    ],
    [
      { kind: 'lose-tick', schedule: '' },
      'the fault.schedule is "": it must be the name of a schedule, or *.',
    ],
    [{ kind: 'lose-tick', share: 1.5 }, 'the fault.share is 1.5: it must be a number from 0 to 1.'],
    [
      { kind: 'lose-tick', times: 0 },
      'the fault.times is 0: it must be a whole number of at least 1.',
    ],
    [
      { kind: 'lose-tick', times: '3' },
      'the fault.times is "3": it must be a whole number of at least 1.',
    ],
    [
      { kind: 'delay' },
      'the fault.delayMs is missing: delay needs it, a whole number of at least 0.',
    ],
    [
      { kind: 'skew-clock', skewMs: Infinity },
      'the fault.skewMs is null: it must be a whole number.',
    ],
    [
      { kind: 'split-shard', share: 0.5 },
      'the fault.share is no member of split-shard: it has stream, shard, afterMs.',
    ],
  ];

  test.each(cases)('%j', (value, message) => {
    expect(() => parseFault(value)).toThrow(message);
  });

  test('in a list, by its number', () => {
    expect(() => parseFaults([{ kind: 'lose-tick' }, { kind: 'x' }])).toThrow(/^faults\[1\]\.kind/);
    expect(() => parseFaults({})).toThrow('faults is {}: it must be a list.');
  });
});

test('the table says of each measure and of each time what it means', () => {
  const texts = [
    ...kinds.flatMap(([, { does, measures = {} }]) => [
      does,
      ...Object.values(measures).map(({ means }) => means),
    ]),
    ...Object.values(FAULT_TIMING).map(({ means }) => means),
  ];
  expect(texts.filter((text) => !/^[a-z0-9].*[^.]$/.test(text))).toEqual([]);
});
