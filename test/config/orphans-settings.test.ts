/** What a file may say of records that a complete read no longer shows. */
import { expect, test } from 'vitest';
import { faultsOf, settingsOf, ticketsInput } from '#test/config/pipeline-input';

const withOrphans = (orphans: unknown) => {
  const { source, ...file } = ticketsInput();
  return { ...file, source: { ...source, orphans } };
};

test.each([
  [undefined, { shareMax: 0.2 }],
  [{}, { shareMax: 0.2 }],
  [{ shareMax: 1 }, { shareMax: 1 }],
  [false, false],
])('%j is read as %j', (orphans, told) =>
  expect(settingsOf(withOrphans(orphans)).source.orphans).toEqual(told),
);

test.each([
  [{ shareMax: 1.5 }, 'source.orphans.shareMax: must be at most 1'],
  [{ shareMax: -1 }, 'source.orphans.shareMax: must be at least 0'],
  [{ shareMax: '20 %' }, 'source.orphans.shareMax: must be a number'],
  [{ share: 0.5 }, "source.orphans.share: unknown key; did you mean 'shareMax'?"],
  [true, 'source.orphans: must be false, or an object such as { shareMax: 0.2 }'],
])('%j is refused in one sentence', (orphans, sentence) =>
  expect(faultsOf(withOrphans(orphans))).toEqual([sentence]),
);
